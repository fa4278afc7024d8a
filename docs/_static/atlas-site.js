// What every page has: the facts of the build in the footer, and a page that prints whole, in light colours.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  function stamp() {
    const facts = window.atlasBuild ?? [];
    for (const place of document.querySelectorAll("[data-atlas-build]")) {
      place.textContent = facts.map((fact) => ` · ${fact}`).join("");
    }
  }

  // --- printing -----------------------------------------------------------------------------------

  let before = null;

  function unfold() {
    if (before !== null) return;
    const root = document.documentElement;
    const folds = [...document.querySelectorAll("article details:not([open])")];
    before = { theme: root.dataset.theme, folds };
    root.dataset.theme = "light";
    for (const fold of folds) fold.open = true;
  }

  function restore() {
    if (before === null) return;
    document.documentElement.dataset.theme = before.theme;
    for (const fold of before.folds) fold.open = false;
    before = null;
  }

  window.addEventListener("beforeprint", unfold);
  window.addEventListener("afterprint", restore);
  document.addEventListener("DOMContentLoaded", stamp);
})();
