// What every page has: the facts of the build in the footer, a page that prints whole, in light colours, and what
// the other scripts share. It runs before them.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const FOLDER = document.currentScript.src.replace(/[^/]*$/, "");

  /** An element with attributes and children; a child that is no node becomes text. */
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /** Runs another script from the folder of this one; rejected where it cannot be loaded. */
  function loadScript(name) {
    return new Promise((resolve, reject) => {
      const script = make("script", { src: FOLDER + name });
      script.addEventListener("load", resolve);
      script.addEventListener("error", reject);
      document.head.append(script);
    });
  }

  /** Text of a part of an address; as it stands where it is not encoded, such as `100%`. */
  function decode(part) {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  }

  /** The element that the address leads to. */
  const findTarget = () => document.getElementById(decode(location.hash.slice(1)));

  /**
   * Address of a conversion, or of what it does with a source; matrix_pages.py has the same rule, and lists in
   * window.atlasRows the conversions without a page of their own.
   */
  function locateConversion(name, source = "") {
    const matrix = `${(document.documentElement.dataset.content_root ?? "").replace(/^\.\//, "")}matrix`;
    if (!window.atlasRows.includes(name)) return `${matrix}/conversion/${name}.html${source && `#${source}`}`;
    return source ? `${matrix}/source/${source}.html#${name}` : `${matrix}/index.html#${name}`;
  }

  window.atlasSite = { make, loadScript, decode, findTarget, locateConversion };

  // --- the build ----------------------------------------------------------------------------------

  function stamp() {
    const facts = window.atlasBuild ?? [];
    for (const place of document.querySelectorAll("[data-atlas-build]")) {
      place.textContent = facts.map((fact) => ` · ${fact}`).join("");
    }
  }

  /** How far the records reach, and how long ago that was: a site that nobody builds any more says so itself. */
  function describeReach() {
    const known = window.atlasEnvironments ?? [];
    const newest = (fact) =>
      known.map((each) => each[fact]).reduce((a, b) => (a.localeCompare(b, "en", { numeric: true }) < 0 ? b : a));
    if (known.length === 0) return [];
    const days = Math.floor((Date.now() - Date.parse(newest("date"))) / 86_400_000);
    const ago = days > 0 ? ` (${days} ${days === 1 ? "day" : "days"} ago)` : "";
    const reach = `Records reach torch ${newest("torch")} and NumPy ${newest("numpy")}, last made on ${newest("date")}${ago}`;
    return [reach, make("br")];
  }

  function showReach() {
    for (const place of document.querySelectorAll("[data-atlas-reach]")) place.replaceChildren(...describeReach());
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
  document.addEventListener("DOMContentLoaded", showReach);
})();
