// The filter of a chapter's examples: words as they are typed, and tags as buttons, leave only the cards that have them
// all. Without this script every card is shown. In the place of sphinx-gallery's own filter, which no key reaches.
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
      text: card.textContent.toLowerCase(),
      tags: new Set(JSON.parse(card.dataset.sgtags)),
    }));
    const input = list.querySelector("input");
    const status = make("p", { class: "atlas-tag-status" });
    status.setAttribute("role", "status");
    const all = make("button", { class: "atlas-tag-clear" }, "Show all");
    all.type = "button";
    const buttons = [...list.querySelectorAll("button")].map((button) => ({ button, tag: button.textContent }));

    const pressed = new Set(asked().filter((asking) => buttons.some(({ tag }) => tag === asking)));

    function show() {
      const words = input.value.toLowerCase().split(" ");
      const fits = ({ text, tags }) => words.every((word) => text.includes(word)) && [...pressed].every((tag) => tags.has(tag));
      const shown = cards.filter(fits);
      for (const { card } of cards) card.hidden = true;
      for (const { card } of shown) card.hidden = false;
      for (const { button, tag } of buttons) {
        button.setAttribute("aria-pressed", String(pressed.has(tag)));
        // A press that would leave nothing is no choice; the button stays in its place.
        button.disabled = !pressed.has(tag) && !shown.some(({ tags }) => tags.has(tag));
        if (pressed.has(tag) && button.parentElement.tagName === "DETAILS") button.parentElement.open = true;
      }
      const isAsked = pressed.size > 0 || input.value !== "";
      all.hidden = !isAsked;
      status.textContent = !isAsked ? "" : `${shown.length} of ${cards.length} examples`;
    }

    function press(tag) {
      if (!pressed.delete(tag)) pressed.add(tag);
      keep(pressed);
      show();
    }

    for (const { button, tag } of buttons) button.addEventListener("click", () => press(tag));
    all.addEventListener("click", () => {
      pressed.clear();
      input.value = "";
      keep(pressed);
      show();
      input.focus();
    });
    input.addEventListener("input", show);
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", "Only examples about");
    buttons.findLast(({ button }) => button.parentElement === list).button.after(all, status);
    show();
  }

  document.addEventListener("DOMContentLoaded", () => {
    const list = document.querySelector("#sg-tag-list");
    if (list && document.querySelector("[data-sgtags]")) equip(list);
  });
})();
