// The tags of a chapter's examples, as buttons that leave only the cards that have all of those pressed. Without this
// script every card is shown. In the place of sphinx-gallery's own filter, which no key reaches.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make } = window.atlasSite;
  const PARAMETER = "tags";

  // What the address asks for; a page that was opened as a file has an address that may not be changed.
  function asked() {
    return new URLSearchParams(location.search).get(PARAMETER)?.split(",") ?? [];
  }

  function keep(pressed) {
    if (location.protocol === "file:") return;
    const address = new URL(location);
    if (pressed.size > 0) address.searchParams.set(PARAMETER, [...pressed].join(","));
    else address.searchParams.delete(PARAMETER);
    history.replaceState(null, "", address);
  }

  function equip(list) {
    const cards = [...document.querySelectorAll("[data-sgtags]")].map((card) => ({
      card,
      tags: new Set(JSON.parse(card.dataset.sgtags)),
    }));
    const status = make("p", { class: "atlas-tag-status" });
    status.setAttribute("role", "status");
    const all = make("button", { class: "atlas-tag-clear" }, "Show all");
    all.type = "button";
    const buttons = [...list.querySelectorAll("button")].map((button) => ({ button, tag: button.textContent }));

    const pressed = new Set(asked().filter((asking) => buttons.some(({ tag }) => tag === asking)));

    function show() {
      const shown = cards.filter(({ tags }) => [...pressed].every((tag) => tags.has(tag)));
      for (const { card } of cards) card.hidden = true;
      for (const { card } of shown) card.hidden = false;
      for (const { button, tag } of buttons) {
        button.setAttribute("aria-pressed", String(pressed.has(tag)));
        // A press that would leave nothing is no choice; the button stays in its place.
        button.disabled = !shown.some(({ tags }) => tags.has(tag));
      }
      all.hidden = pressed.size === 0;
      status.textContent = pressed.size === 0 ? "" : `${shown.length} of ${cards.length} examples`;
    }

    function press(tag) {
      if (!pressed.delete(tag)) pressed.add(tag);
      keep(pressed);
      show();
    }

    for (const { button, tag } of buttons) button.addEventListener("click", () => press(tag));
    all.addEventListener("click", () => {
      pressed.clear();
      keep(pressed);
      show();
      buttons[0].button.focus();
    });
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", "Only examples about");
    list.append(all, status);
    show();
  }

  document.addEventListener("DOMContentLoaded", () => {
    const list = document.querySelector("#sg-tag-list");
    if (list && document.querySelector("[data-sgtags]")) equip(list);
  });
})();
