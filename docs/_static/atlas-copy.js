// A button on every box of captured output that copies it, apart from the code. Without this script the text can be
// selected, as any other. A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const SECONDS = 2;

  function make(tag, css, text) {
    const element = document.createElement(tag);
    element.className = css;
    element.textContent = text;
    return element;
  }

  // What a box holds, as its button names it.
  function nameOf(box) {
    if (box.matches(".atlas-error")) return "error";
    return box.matches(".atlas-warning") ? "warning" : "output";
  }

  function equip(box) {
    const button = make("button", "atlas-copy", "Copy");
    button.type = "button";
    button.append(make("span", "visually-hidden", ` ${nameOf(box)}`));
    box.append(button);
  }

  // Where the browser gives no clipboard, the text is at least marked, ready to be copied by hand.
  async function copied(pre) {
    try {
      await navigator.clipboard.writeText(pre.textContent.replace(/\n$/, ""));
      return true;
    } catch {
      getSelection().selectAllChildren(pre);
      return false;
    }
  }

  async function copy(button, status) {
    const box = button.closest(".atlas-captured");
    const done = await copied(box.querySelector("pre"));
    button.firstChild.data = done ? "Copied" : "Marked";
    status.textContent = done ? `The ${nameOf(box)} is copied.` : `The ${nameOf(box)} is marked: copy it by hand.`;
    setTimeout(() => {
      button.firstChild.data = "Copy";
      status.textContent = "";
    }, SECONDS * 1000);
  }

  document.addEventListener("DOMContentLoaded", () => {
    const boxes = [...document.querySelectorAll(".atlas-captured:has(pre)")];
    if (boxes.length === 0) return;
    boxes.forEach(equip);
    const status = make("p", "visually-hidden", "");
    status.setAttribute("role", "status");
    document.querySelector("main").append(status);
    // The picker puts copies of boxes on the page: their buttons work, too.
    document.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest(".atlas-copy") : null;
      if (button) copy(button, status);
    });
  });
})();
