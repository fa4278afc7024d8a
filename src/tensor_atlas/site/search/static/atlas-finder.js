// The box that finds pages by a name, a question or a pasted error: a dialog on every page, a place on one of them,
// and above Sphinx's own results. It loads what it searches when it is first used, and sends nothing anywhere.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make, loadScript } = window.atlasSite;
  const ROOT = document.documentElement.dataset.content_root ?? "./";
  const LATE = ["atlas-index.js", "atlas-search.js", "atlas-names.js"];
  const LABEL = "A name, a question, or an error";
  const HINT = "Type a name such as from_numpy or a few words, or paste a whole traceback.";
  const STATES = {
    sure: (title) => `This is it: ${title}.`,
    maybe: (title, more) => (more ? `${more + 1} pages may answer this, the likeliest first.` : "One page may answer this."),
    none: () => "Nothing here answers this.",
  };
  const ELSEWHERE = [
    ["the PyTorch forum", "https://discuss.pytorch.org/"],
    ["NumPy's issue tracker", "https://github.com/numpy/numpy/issues"],
  ];
  const LETTERS = 300; // how much of a long message a result shows
  const PAUSE = 30; // milliseconds without a key until what was typed is looked for
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

  // --- what is searched, loaded once ----------------------------------------------------------------

  let loading = null;

  function load() {
    loading ??= LATE.reduce((before, name) => before.then(() => loadScript(name)), Promise.resolve());
    return loading;
  }

  // --- results --------------------------------------------------------------------------------------

  function prose(text) {
    // What stands between backticks is code.
    return text.split("`").map((part, place) => (place % 2 ? make("code", {}, part) : part));
  }

  function address({ page }, anchor = "") {
    const [name, part] = page.split("#");
    return `${ROOT}${name}.html${anchor || (part ? `#${part}` : "")}`;
  }

  function wordingOf({ type, text, where }) {
    const message = (type ? `${type}: ${text}` : text).slice(0, LETTERS);
    const said = make("pre", { class: "atlas-finding-wording", tabindex: "-1" }, message);
    return where ? [said, make("p", { class: "atlas-finding-where" }, where)] : [said];
  }

  function fixOf(page, isOpen) {
    const title = make("strong", {}, "Fix: ");
    const text = make("p", { class: "atlas-finding-fix" }, title, ...prose(page.fix));
    const code = make("pre", { class: "atlas-finding-code", tabindex: "0" }, make("code", {}, page.code));
    const more = make("a", { href: address(page, "#the-fix") }, "The fix on its page, and what does not help");
    const parts = [text, code, make("p", {}, more)];
    return isOpen ? parts : [make("details", {}, make("summary", {}, "Fix"), ...parts)];
  }

  /** What tells a page from what was asked: other types in its message, or words that it does not have. */
  function apartOf({ types, lacks }) {
    const listed = (words) => words.flatMap((word, at) => [...(at ? [", "] : []), make("code", {}, word)]);
    const line = (...parts) => [make("p", { class: "atlas-finding-apart" }, ...parts)];
    const yours = listed(types?.asked ?? []);
    if (types?.theirs.length && yours.length) return line("It says ", ...listed(types.theirs), "; yours says ", ...yours, ".");
    if (yours.length) return line("Yours also says ", ...yours, ".");
    if (lacks.length) return line("Not on this page: ", ...listed(lacks), ".");
    return [];
  }

  function resultOf(finding, isOpen) {
    const { page, wording } = finding;
    const href = address(page, finding.anchor);
    const link = make("a", { class: "atlas-finding-link", href }, page.title);
    const part = make("span", { class: "atlas-finding-part" }, page.part);
    const item = make("li", { class: "atlas-finding" }, make("p", { class: "atlas-finding-head" }, link, " ", part));
    if (wording) item.append(...wordingOf(wording));
    item.append(...apartOf(finding));
    const hasFix = wording && page.fix;
    // The first paragraph names the cases that a folded fix is not for.
    if (page.lead && !(hasFix && isOpen)) item.append(make("p", { class: "atlas-finding-lead" }, ...prose(page.lead)));
    if (hasFix) item.append(...fixOf(page, isOpen));
    return item;
  }

  /** Where to ask, and where else to look, when no page answers. */
  function advice(text) {
    const link = (href, words) => make("a", { href }, words);
    const [torch, numpy] = ELSEWHERE.map(([words, href]) => link(href, words));
    const index = link(`${ROOT}reference/errors.html`, "error index");
    const all = link(`${ROOT}search.html?q=${encodeURIComponent(text.slice(0, 200))}`, "all pages with these words");
    const parts = ["Ask on ", torch, " or ", numpy, ". Or look through the ", index, " or ", all, "."];
    return make("p", { class: "atlas-finder-advice" }, ...parts);
  }

  /** The nearest pages behind a fold: they have some of the words, and no answer. */
  function nearest(items) {
    const list = make("ul", { class: "atlas-findings", role: "list" }, ...items);
    return make("details", { class: "atlas-finder-nearest" }, make("summary", {}, "Pages with some of these words"), list);
  }

  // --- a box ----------------------------------------------------------------------------------------

  function results() {
    // A status that is read out, and the list; the returned function fills both.
    const status = make("p", { class: "atlas-finder-status", role: "status", "aria-live": "polite" }, HINT);
    const list = make("ul", { class: "atlas-findings", role: "list" });
    const rest = make("div");
    let asked = "";

    async function show(text) {
      asked = text;
      rest.replaceChildren();
      if (!text.trim()) {
        list.replaceChildren();
        status.textContent = HINT;
        delete status.dataset.state;
        return;
      }
      try {
        await load();
        await window.atlasNames.load(text);
      } catch {
        status.textContent = "The search index could not be loaded.";
        rest.replaceChildren(advice(text));
        return;
      }
      if (asked !== text) return; // typed on while it was loading
      const { state, found } = window.atlasNames.find(text);
      const items = found.map((finding, place) => resultOf(finding, finding.isFix && place === 0));
      status.textContent = STATES[state](found[0]?.page.title, found.length - 1);
      status.dataset.state = state;
      list.replaceChildren(...(state === "none" ? [] : items));
      if (state === "none") rest.replaceChildren(advice(text), ...(items.length ? [nearest(items)] : []));
    }

    return { parts: [status, list, rest], list, show };
  }

  function box(changed = () => {}) {
    const input = make("textarea", { rows: 2, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    input.setAttribute("placeholder", "from_numpy, or a whole traceback");
    const label = make("label", { class: "atlas-finder-label" }, make("span", {}, LABEL), input);
    const { parts, list, show } = results();
    let waiting = 0;

    const links = () => [...list.querySelectorAll(".atlas-finding-link")];
    function ask(text) {
      input.value = text;
      input.rows = Math.min(10, Math.max(2, text.split("\n").length));
      changed(text);
      return show(text);
    }
    input.addEventListener("focus", () => load().catch(() => {}));
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => ask(input.value), PAUSE);
    });
    input.addEventListener("keydown", async (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      clearTimeout(waiting);
      await ask(input.value);
      links()[0]?.click();
    });
    const whole = make("div", { class: "atlas-finder-box" }, label, ...parts);
    whole.addEventListener("keydown", (event) => {
      const places = [input, ...links()];
      const at = places.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined || at < 0) return;
      if (at === 0 && (step < 0 || input.selectionStart < input.value.length)) return; // the arrow moves in the text
      event.preventDefault();
      places[Math.min(Math.max(at + step, 0), places.length - 1)].focus();
    });
    return { whole, input, ask };
  }

  // --- the dialog -----------------------------------------------------------------------------------

  let dialog = null;

  function open() {
    if (dialog === null) {
      const { whole, input } = box();
      const close = make("button", { type: "button", class: "btn btn-sm atlas-finder-close", "aria-label": "Close" }, "×");
      const note = "Nothing you type or paste leaves this page. Enter opens the first result; the arrow keys move through them.";
      dialog = make("dialog", { class: "atlas-finder", "aria-label": "Search or paste an error" });
      dialog.append(close, whole, make("p", { class: "atlas-finder-note" }, note));
      close.addEventListener("click", () => dialog.close());
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog || event.target.closest("a[href]")) dialog.close();
      });
      dialog.atlasInput = input;
      document.body.append(dialog);
    }
    if (!dialog.open) dialog.showModal();
    dialog.atlasInput.focus();
    dialog.atlasInput.select();
  }

  // The theme listens too, for a field that no page has.
  window.addEventListener(
    "keydown",
    (event) => {
      // Sphinx's highlighting takes Escape from the dialog unless a field has the focus.
      if (event.key === "Escape" && !event.isComposing) dialog?.close();
      const isAsked = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      if (!isAsked || event.shiftKey || event.altKey || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (dialog?.open) dialog.close();
      else open();
    },
    true,
  );

  function start() {
    for (const link of document.querySelectorAll(".atlas-finder-link")) {
      const button = make("button", { type: "button", class: link.className, "aria-haspopup": "dialog" }, ...link.childNodes);
      button.setAttribute("aria-keyshortcuts", isMac ? "Meta+K" : "Control+K");
      button.setAttribute("aria-label", "Search or paste an error");
      button.append(make("kbd", { "aria-hidden": "true" }, isMac ? "⌘K" : "Ctrl K"));
      button.addEventListener("click", open);
      link.replaceWith(button);
    }
    for (const place of document.querySelectorAll(".atlas-finder-place")) {
      const { whole, ask } = box((text) => {
        history.replaceState(null, "", text.trim() ? `#${new URLSearchParams({ q: text })}` : location.pathname);
      });
      place.replaceChildren(whole);
      const asked = new URLSearchParams(location.hash.slice(1)).get("q");
      if (asked) ask(asked);
    }
    const theirs = document.querySelector("#search-results");
    const asked = new URLSearchParams(location.search).get("q");
    if (theirs && asked) {
      const { parts, show } = results();
      const all = make("h2", {}, "All pages with these words");
      theirs.before(make("section", { class: "atlas-finder-box", "aria-label": "Best matches" }, ...parts), all);
      document.head.append(make("script", { src: `${ROOT}searchindex.js` }));
      show(asked);
    }
  }

  document.addEventListener("DOMContentLoaded", start);
})();
