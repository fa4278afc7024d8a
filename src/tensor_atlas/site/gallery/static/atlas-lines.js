// The filter of a long list: words as they are typed, a class and a library leave only the lines that have them all.
// Without this script every line is there. A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make, findTarget } = window.atlasSite;

  const listed = (text) => (text ?? "").split(" ").filter(Boolean);

  function select(values) {
    const known = [...new Set(values)].filter(Boolean).sort((a, b) => a.localeCompare(b));
    return make("select", {}, new Option("any", ""), ...known.map((value) => new Option(value, value)));
  }

  function equip(form, lists) {
    const lines = lists.flatMap((list) => [...list.children]).map((node) => ({
      node,
      text: node.textContent.toLowerCase(),
      type: node.closest("[data-class]")?.dataset.class ?? "",
      libraries: listed(node.dataset.library),
    }));
    const folds = [...document.querySelectorAll(".atlas-fold")].map((fold) => ({ fold, isOpen: fold.open }));
    const input = make("input", { type: "search", autocomplete: "off", spellcheck: false });
    const type = select(lines.map((line) => line.type));
    const library = select(lines.flatMap((line) => line.libraries));
    const status = make("p", { role: "status" });

    function show() {
      const words = listed(input.value.toLowerCase());
      const asked = words.length > 0 || type.value !== "" || library.value !== "";
      const fits = (line) =>
        words.every((word) => line.text.includes(word)) &&
        ["", line.type].includes(type.value) &&
        (library.value === "" || line.libraries.includes(library.value));
      let count = 0;
      for (const line of lines) {
        line.node.hidden = !fits(line);
        count += !line.node.hidden;
      }
      for (const { fold, isOpen } of folds) {
        fold.hidden = !fold.querySelector("li:not([hidden])");
        fold.open = asked ? !fold.hidden : isOpen;
      }
      status.textContent = asked ? `${count} of ${lines.length} lines` : "";
    }

    form.append(
      make("label", {}, "Filter by name, call or message", input),
      ...(type.length > 1 ? [make("label", {}, "Class", type)] : []),
      ...(library.length > 1 ? [make("label", {}, "Library", library)] : []),
      status,
    );
    form.addEventListener("input", show);
  }

  // Not every browser unfolds what a link leads to.
  function openTarget() {
    const target = findTarget();
    const fold = target?.closest(".atlas-fold:not([open])");
    if (!fold) return;
    fold.open = true;
    target.scrollIntoView();
  }

  document.addEventListener("DOMContentLoaded", () => {
    equip(document.querySelector(".atlas-words"), [...document.querySelectorAll(".atlas-lines")]);
    openTarget();
  });
  window.addEventListener("hashchange", openTarget);
})();
