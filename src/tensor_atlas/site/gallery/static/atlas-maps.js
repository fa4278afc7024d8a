// Lights the bytes of a variable in the map under its block, while the variable is hovered or has the focus; a click,
// Enter or the space bar keeps them lit, Escape lets go. Without this script the map says the same, unlit.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const LIT = "atlas-lit";
  const variable = (name) => name.match(/^\w*/)[0];
  const kept = new WeakMap(); // block → variable that stays lit

  // An attribute of another object, or the keyword of an argument, is no variable.
  function isVariable(token) {
    const before = token.previousSibling?.textContent ?? "";
    const after = token.nextSibling;
    const isKeyword = after?.nodeName === "SPAN" && after.textContent === "=";
    return !before.endsWith(".") && !isKeyword && !token.closest("a");
  }

  function tokensOf(block) {
    const names = new Set([...block.querySelectorAll(".atlas-map [data-name]")].map((n) => variable(n.dataset.name)));
    return [...block.querySelectorAll(".highlight-python pre span.n")].filter(
      (token) => names.has(token.textContent) && isVariable(token),
    );
  }

  function equip(block) {
    const seen = new Set();
    tokensOf(block).forEach((token) => {
      token.classList.add("atlas-variable");
      if (seen.has(token.textContent)) return;
      seen.add(token.textContent); // the first of a name is enough for the keyboard
      token.tabIndex = 0;
      token.setAttribute("role", "button");
      token.setAttribute("aria-pressed", "false");
    });
  }

  function light(block, name) {
    block.querySelectorAll(`.${LIT}`).forEach((element) => element.classList.remove(LIT));
    if (!name) return;
    block.querySelectorAll(".atlas-map [data-name]").forEach((chip) => {
      if (variable(chip.dataset.name) !== name) return;
      chip.classList.add(LIT);
      chip.closest(".view").classList.add(LIT);
    });
    block.querySelectorAll(".atlas-variable").forEach((token) => {
      token.classList.toggle(LIT, token.textContent === name);
    });
  }

  function keep(block, name) {
    if (name) kept.set(block, name);
    else kept.delete(block);
    block.querySelectorAll(".atlas-variable[aria-pressed]").forEach((token) => {
      token.setAttribute("aria-pressed", String(token.textContent === name));
    });
    light(block, name);
  }

  // The variable under an event, with its block; nothing on a card of the gallery.
  function at(target) {
    const place = target instanceof Element ? target.closest(".atlas-variable, .atlas-map [data-name]") : null;
    const block = place?.closest(".atlas-block");
    if (!block) return null;
    return { block, place, name: place.dataset.name ? variable(place.dataset.name) : place.textContent };
  }

  function enter(event) {
    const found = at(event.target);
    if (!found) return;
    light(found.block, found.name);
    if (event.type !== "focusin") return;
    // What a drawing shows is said, too: the one on show, for the picker may have put another in its place.
    const shown = [...found.block.querySelectorAll(".atlas-map")].find((map) => map.getClientRects().length);
    if (shown) found.place.setAttribute("aria-description", shown.getAttribute("aria-label"));
  }

  function leave(event) {
    const found = at(event.target);
    if (!found) return;
    const focused = at(document.activeElement);
    const isFocused = event.type !== "focusout" && focused?.block === found.block;
    light(found.block, isFocused ? focused.name : kept.get(found.block));
  }

  function press(event) {
    const found = at(event.target);
    if (!found?.place.matches(".atlas-variable")) return;
    event.preventDefault();
    keep(found.block, kept.get(found.block) === found.name ? null : found.name);
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".atlas-block:has(.atlas-map)").forEach(equip);
    document.addEventListener("pointerover", enter);
    document.addEventListener("pointerout", leave);
    document.addEventListener("focusin", enter);
    document.addEventListener("focusout", leave);
    document.addEventListener("click", press);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") press(event);
      const found = event.key === "Escape" ? at(event.target) : null;
      if (found) keep(found.block, null);
    });
  });
})();
