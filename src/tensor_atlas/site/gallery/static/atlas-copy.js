// A button on every box of captured output that copies it, apart from the code, and one that copies the page as
// Markdown. Without this script the text can be selected, as any other, and a link leads to the Markdown: so it does
// on a page opened as a file, where no script may read another. A classic script: browsers refuse modules there.
(() => {
  "use strict";

  const { make } = window.atlasSite;
  const SECONDS = 2;

  // What a box holds, as its button names it.
  function nameOf(box) {
    if (box.matches(".atlas-error")) return "error";
    return box.matches(".atlas-warning") ? "warning" : "output";
  }

  function equip(box) {
    const button = make("button", { class: "atlas-copy" }, "Copy");
    button.type = "button";
    button.append(make("span", { class: "visually-hidden" }, ` ${nameOf(box)}`));
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

  function tell(button, status, word, sentence) {
    button.dataset.label ??= button.firstChild.data;
    button.firstChild.data = word;
    status.textContent = sentence;
    setTimeout(() => {
      button.firstChild.data = button.dataset.label;
      status.textContent = "";
    }, SECONDS * 1000);
  }

  async function copy(button, status) {
    const box = button.closest(".atlas-captured");
    const name = nameOf(box);
    if (await copied(box.querySelector("pre"))) tell(button, status, "Copied", `The ${name} is copied.`);
    else tell(button, status, "Selected", `The ${name} is selected: copy it by hand.`);
  }

  // The text is still on its way when the reader's click allows the copy: a promise of it is written at once.
  function write(text) {
    const blob = text.then((words) => new Blob([words], { type: "text/plain" }));
    return navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  }

  async function read(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.text();
  }

  function offerPage(link, status) {
    const button = make("button", { class: link.className }, "Copy page as Markdown");
    button.type = "button";
    link.replaceWith(button);
    button.addEventListener("click", async () => {
      try {
        await write(read(link.href));
        tell(button, status, "Copied", "The page is copied as Markdown.");
      } catch {
        location.assign(link.href);
      }
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    const boxes = [...document.querySelectorAll(".atlas-captured:has(pre)")];
    const links = location.protocol === "file:" ? [] : document.querySelectorAll("a.atlas-markdown");
    if (boxes.length + links.length === 0) return;
    boxes.forEach(equip);
    const status = make("p", { class: "visually-hidden" });
    status.setAttribute("role", "status");
    document.querySelector("main").append(status);
    links.forEach((link) => offerPage(link, status));
    // The picker puts copies of boxes on the page: their buttons work, too.
    document.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest(".atlas-copy") : null;
      if (button) copy(button, status);
    });
  });
})();
