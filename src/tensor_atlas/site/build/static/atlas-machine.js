// Marks the statements of an example's page, and lists the cells of a conversion's, that a reader's own machine
// did otherwise than the nearest record.
// The page "Your machine" has put the differences into this browser's IndexedDB; nothing is sent anywhere.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make, decode } = window.atlasSite;
  const MARK = "atlas-machine-mark";

  const LONGEST = 5_000; // milliseconds that the browser's storage has for an answer

  class NoAnswer extends Error {}

  /** What a promise gives; rejected with NoAnswer where it gives nothing for so many milliseconds. */
  function within(promise) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new NoAnswer()), LONGEST);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
  }

  const answer = (request) =>
    new Promise((resolve, reject) => {
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
    });
  const done = (request) => within(answer(request));

  async function store(mode, wait = done) {
    const opening = indexedDB.open("tensor-atlas", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("machine");
    const database = await wait(opening);
    return database.transaction("machine", mode).objectStore("machine");
  }

  // --- what both pages show of a difference --------------------------------------------------------

  function box(label, lines) {
    const captured = make("div", { class: "atlas-captured atlas-output" });
    const frame = make("div", { class: "highlight" });
    frame.append(make("pre", {}, lines.length ? lines.join("\n") : "(nothing)"));
    captured.append(make("p", { class: "atlas-label" }, label), frame);
    return captured;
  }

  function boxes(change, where) {
    const parts = [];
    if (change.before.length || change.after.length) {
      parts.push(box(where, change.before), box("Your machine", change.after));
    }
    if (change.facts.length) parts.push(box("After the block", change.facts));
    return parts;
  }

  // --- on the page of an example -------------------------------------------------------------------

  let turn = 0;

  function unmark() {
    document.querySelectorAll(`.${MARK}`).forEach((element) => element.remove());
  }

  function sentence(about, entry) {
    const here = `Your machine (${about.words})`;
    if (!entry) return `${here} has not run this example.`;
    if (entry.state === "not run") return `${here} has not run this example: ${entry.reason}.`;
    if (entry.state === "not recorded") return `${here} ran this example, but ${entry.reason}: all of its output is marked below.`;
    if (entry.state === "other code") return `${here} ran other code for this example.`;
    const count = entry.changes.length;
    if (!count) return `${here} gives the same results here as the record of ${about.nearestWords}.`;
    const places = count === 1 ? "one place" : `${count} places`;
    return `${here} differs from the record of ${about.nearestWords} in ${places}, marked below.`;
  }

  function mark(about, entry) {
    const place = document.querySelector("article :is(.atlas-block, .atlas-stamp)") ?? document.querySelector("article h1");
    place?.before(make("p", { class: `atlas-notice ${MARK}` }, sentence(about, entry)));
    for (const change of entry?.changes ?? []) {
      const marked = make("div", { class: `atlas-outcome ${MARK}` });
      marked.append(make("p", { class: "atlas-where" }, change.severity), ...boxes(change, `Recorded with ${about.nearestWords}`));
      const outcomes = document.querySelectorAll(`.atlas-outcomes[data-statement="${change.statement}"]`);
      const last = outcomes[outcomes.length - 1];
      if (last) {
        last.after(marked);
        continue;
      }
      if (change.code) marked.firstChild.after(box("Statement", [change.code]));
      document.getElementById(`block-${change.block + 1}`)?.append(marked);
    }
  }

  function markCells(about, cells) {
    const place = document.querySelector(".atlas-matrix .atlas-stamp") ?? document.querySelector("article h1");
    const here = `Your machine (${about.words})`;
    const count = cells?.length ?? 0;
    const words = count
      ? `${here} differs from the record of ${about.nearestWords} in ${count === 1 ? "one cell" : `${count} cells`}:`
      : `${here} gives the same results here as the record of ${about.nearestWords}, for all that both ran.`;
    const notice = make("div", { class: `atlas-notice ${MARK}` }, words);
    const all = make("ul");
    for (const [source, before, after] of cells ?? []) all.append(make("li", {}, `${source}: ${before} → ${after}`));
    if (count) notice.append(all);
    place?.before(notice);
  }

  // Key of what is kept for this page, and the function that marks it; null on a page of another kind.
  function ofPage() {
    const path = decode(location.pathname).replace(/\.html$/, "");
    const example = /\/gallery\/([^/]+\/[^/]+)$/.exec(path);
    if (example && !example[1].endsWith("/index")) return [`example:${example[1]}`, mark];
    const row = /\/matrix\/conversion\/([^/]+)$/.exec(path);
    return row ? [`row:${row[1]}`, markCells] : null;
  }

  function nameSilence() {
    const place = document.querySelector(".atlas-stamp") ?? document.querySelector("article h1");
    const words = "The differences of your machine could not be read from this browser's storage: this page shows the record. ";
    const rest = "Close other tabs of this site and reload the page, or choose the file again on the page Your machine.";
    place?.before(make("p", { class: `atlas-notice ${MARK}` }, words + rest));
  }

  async function show(isChosen) {
    turn += 1;
    const mine = turn;
    unmark();
    const page = ofPage();
    if (!isChosen || !page) return;
    const silence = setTimeout(() => mine === turn && nameSilence(), LONGEST);
    try {
      const kept = await store("readonly", answer);
      const [about, entry] = await Promise.all([answer(kept.get("about")), answer(kept.get(page[0]))]);
      if (mine !== turn) return;
      unmark(); // storage that answers late is still right
      if (about) page[1](about, entry);
    } catch {
      if (mine === turn) nameSilence();
    } finally {
      clearTimeout(silence);
    }
  }

  window.atlasMachine = { store, answer, done, within, NoAnswer, boxes };
  document.addEventListener("atlas-machine", (event) => show(event.detail));
})();
