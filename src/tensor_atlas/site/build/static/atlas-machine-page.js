// The page "Your machine": shows the differences that atlas-probe.pyz has written into a capture.
// Nothing leaves the browser, and whatever a capture holds is checked field by field and shown as text.
(() => {
  "use strict";

  const { make, locateConversion } = window.atlasSite;
  let store, answer, done, within, NoAnswer, boxes; // of atlas-machine.js, which pages load after this script
  const FORM = 1; // as compare/own_machine.py numbers it
  const MOST_BYTES = 60 * 1024 * 1024;
  const SLOW = 10_000; // milliseconds after which the page says what it waits for
  const CHOSEN = "atlas-environment";
  const FACTS = "atlas-machine";
  // As history/changes.py has them, the gravest first.
  const SEVERITIES = [
    "error appeared",
    "error vanished",
    "exception class changed",
    "sharing changed",
    "value, dtype or device changed",
    "input gained or lost",
    "warning changed",
    "wording changed",
  ];

  /** Adds the command that downloads the file beside this page, where the page has an address and does not name it yet. */
  function nameAddress() {
    const command = document.querySelector(".highlight-bash");
    const isNamed = document.querySelector("article").textContent.includes("curl -O ");
    if (!location.protocol.startsWith("http") || !command || isNamed) return;
    const words = "On a machine without a browser, fetch it first: ";
    command.after(make("p", {}, words, make("code", {}, `curl -O ${new URL("atlas-probe.pyz", location).href}`), "."));
  }

  // --- checking: each rule takes a value and where it stands, and refuses what it does not know ------

  class Refusal extends Error {}

  function refuse(at, what) {
    throw new Refusal(`${at || "The file"} ${what}`);
  }

  const text = (most = 300_000, form = null) => (value, at) => {
    if (typeof value !== "string" || value.length > most || (form && !form.test(value))) refuse(at, "is not an allowed text");
  };
  const oneOf = (words) => (value, at) => words.includes(value) || refuse(at, "has an unknown value");
  const size = (value, at) => (Number.isSafeInteger(value) && value >= 0) || refuse(at, "is not a size");
  const list = (rule, most) => (value, at) => {
    if (!Array.isArray(value) || value.length > most) refuse(at, "is not a list, or is too long");
    value.forEach((item, index) => rule(item, `${at}[${index}]`));
  };
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const map = (form, rule, most) => (value, at) => {
    if (!isObject(value) || Object.keys(value).length > most) refuse(at, "is not a table, or is too large");
    for (const [key, item] of Object.entries(value)) {
      if (!form.test(key)) refuse(at, "has a name that is not allowed");
      rule(item, `${at}.${key}`);
    }
  };
  const object = (fields) => (value, at) => {
    if (!isObject(value)) refuse(at, "is not an object");
    for (const key of Object.keys(fields)) if (!Object.hasOwn(value, key)) refuse(at, `has no ${key}`);
    for (const [key, item] of Object.entries(value)) {
      if (!Object.hasOwn(fields, key)) refuse(at, "has an unknown field");
      fields[key](item, `${at}.${key}`);
    }
  };

  const EXAMPLE = /^[A-Za-z0-9_]{1,80}\/[A-Za-z0-9_]{1,80}$/;
  const NAME = /^[a-z0-9][a-z0-9_.-]{0,99}$/i;
  const short = text(2_000);
  const lines = list(text(), 5_000);
  const STATES = ["compared", "not run", "not recorded", "other code"];
  const change = object({
    severity: oneOf([...SEVERITIES, "not recorded"]), block: size, statement: text(20, /^\d*$/), code: text(), before: lines, after: lines,
    facts: lines,
  });
  const cellRule = object({
    severity: oneOf(SEVERITIES), before: text(), after: text(), cells: list(list(text(100, NAME), 2), 200_000),
  });
  const comparison = object({
    form: oneOf([FORM]),
    against: object({ id: short, words: short }),
    words: short,
    summary: short,
    examples: map(EXAMPLE, object({ title: short, state: oneOf(STATES), reason: short, changes: list(change, 5_000) }), 10_000),
    rules: list(cellRule, 50_000),
  });
  const fact = (value, at) => value === null || typeof value === "number" || short(value, at);

  /** What the page shows of a file: what it holds of the machine, and the comparison. */
  function read(content) {
    let parsed;
    try {
      parsed = JSON.parse(content);
    } catch {
      refuse("", "is not JSON");
    }
    if (!isObject(parsed) || !isObject(parsed.environment) || !Array.isArray(parsed.runs)) refuse("", "is no capture");
    if (!isObject(parsed.comparison)) refuse("", "holds no comparison with the records");
    if (parsed.comparison.form !== FORM) refuse("", "was compared by an atlas-probe.pyz of another version");
    comparison(parsed.comparison, "comparison");
    const facts = { ...parsed.environment };
    delete facts.engines;
    map(NAME, fact, 20)(facts, "environment");
    return { ...parsed.comparison, facts: { ...facts, examples: parsed.runs.length } };
  }

  // --- the page -----------------------------------------------------------------------------------------

  const root = document.documentElement.dataset.content_root ?? "./";

  function link(name, title) {
    return make("a", { href: `${root}gallery/${name}.html` }, title);
  }

  const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  const MOST_NAMED = 20;

  function ruleItem(rule) {
    const { severity, before, after } = rule;
    const item = make("li", { class: "atlas-machine-rule" });
    item.dataset.severity = severity;
    item.dataset.cells = String(rule.cells.length);
    item.append(make("strong", {}, `${counted(rule.cells.length, "cell")} of the matrix`), `: ${before} → ${after}`);
    const names = new Map();
    for (const [name, source] of rule.cells) names.set(name, [...(names.get(name) ?? []), source]);
    const all = make("ul");
    for (const [name, sources] of [...names].slice(0, MOST_NAMED)) {
      const line = make("li");
      const anchor = make("a", {}, name);
      anchor.href = locateConversion(name);
      const more = sources.length > MOST_NAMED ? `, and ${sources.length - MOST_NAMED} more` : "";
      line.append(anchor, ` on ${sources.slice(0, MOST_NAMED).join(", ")}${more}`);
      all.append(line);
    }
    if (names.size > MOST_NAMED) all.append(make("li", {}, `and ${counted(names.size - MOST_NAMED, "more conversion")}`));
    item.append(all);
    return item;
  }

  function listChanges({ examples, rules, against }) {
    const parts = [];
    for (const severity of SEVERITIES) {
      const items = [];
      for (const [name, { title, state, changes }] of Object.entries(examples)) {
        if (state !== "compared") continue;
        for (const each of changes.filter((one) => one.severity === severity)) {
          const item = make("li", { class: "atlas-machine-change" });
          item.dataset.example = name;
          item.dataset.statement = each.statement;
          item.append(link(name, title), ...boxes(each, `Recorded with ${against.words}`));
          if (each.code) item.firstChild.after(make("pre", { class: "atlas-code" }, each.code));
          items.push(item);
        }
      }
      items.push(...rules.filter((one) => one.severity === severity).map(ruleItem));
      if (!items.length) continue;
      const fold = make("details", { class: "atlas-others" });
      fold.dataset.severity = severity;
      fold.open = items.length <= 20;
      const all = make("ul");
      all.append(...items);
      fold.append(make("summary", {}, `${severity}: ${items.length}`), all);
      parts.push(fold);
    }
    return parts;
  }

  function listUncompared({ examples }) {
    const groups = new Map();
    for (const [name, { title, state, reason }] of Object.entries(examples)) {
      if (state !== "compared") groups.set(reason, [...(groups.get(reason) ?? []), link(name, title)]);
    }
    return [...groups].map(([reason, links]) => {
      const fold = make("details", { class: "atlas-others atlas-machine-uncompared" });
      const all = make("ul");
      for (const each of links) all.append(make("li", {}, each));
      fold.append(make("summary", {}, `${counted(links.length, "example")}: ${reason}`), all);
      return fold;
    });
  }

  function listFacts({ facts }) {
    const table = make("table", { class: "atlas-machine-facts" });
    for (const [name, content] of Object.entries(facts)) {
      const row = make("tr");
      row.append(make("th", {}, name), make("td", {}, String(content ?? "none")));
      table.append(row);
    }
    return table;
  }

  // Whoever leaves the page earlier undoes what was put.
  const written = ({ transaction }) =>
    new Promise((resolve, reject) => {
      transaction.addEventListener("complete", resolve);
      transaction.addEventListener("abort", () => reject(transaction.error));
    });

  // By conversion: source, and what the record and the machine did.
  function rowsOf(rules) {
    const rows = new Map();
    for (const { before, after, cells } of rules) {
      for (const [name, source] of cells) rows.set(name, [...(rows.get(name) ?? []), [source, before, after]]);
    }
    return rows;
  }

  async function keep(given, isChosen) {
    const kept = await store("readwrite", answer);
    kept.clear();
    const about = { words: given.words, nearest: given.against.id, nearestWords: given.against.words };
    kept.put(about, "about");
    kept.put(given, "comparison");
    for (const [name, entry] of Object.entries(given.examples)) kept.put(entry, `example:${name}`);
    for (const [name, row] of rowsOf(given.rules)) kept.put(row, `row:${name}`);
    await written(kept);
    localStorage.setItem(FACTS, JSON.stringify({ nearest: about.nearest, words: about.words }));
    if (isChosen) localStorage.setItem(CHOSEN, "machine");
    window.dispatchEvent(new Event("atlas-machine-kept"));
  }

  async function forget() {
    const kept = await store("readwrite", answer);
    kept.clear();
    await written(kept);
    localStorage.removeItem(FACTS);
    if (localStorage.getItem(CHOSEN) === "machine") localStorage.removeItem(CHOSEN);
    window.dispatchEvent(new Event("atlas-machine-kept"));
  }

  function startPage(place) {
    const input = make("input");
    input.type = "file";
    input.accept = ".json,application/json";
    const label = make("label", { class: "atlas-machine-drop" }, "Drop capture.json here, or choose it: ");
    label.append(input);
    const status = make("p", { class: "atlas-machine-status" });
    status.setAttribute("role", "status");
    const result = make("div", { class: "atlas-machine-result" });
    place.replaceChildren(label, status, result);

    const WAITING =
      "Still reading: the file has not arrived. If nothing follows within a minute, reload this page, copy the file to this computer and choose the copy.";
    let turn = 0; // of what the reader asked for last: whatever began before it shows nothing more

    async function showComparison(given, isNew, isLast) {
      const remove = make("button", { class: "btn btn-sm atlas-machine-remove" }, "Remove this capture from the browser");
      remove.type = "button";
      remove.addEventListener("click", () =>
        guarded(async (stillLast) => {
          try {
            await within(forget());
          } catch {
            const words = "The capture could not be removed, because this browser's storage does not answer.";
            if (stillLast()) status.textContent = `${words} Close other tabs of this site, reload this page and try again.`;
            return;
          }
          if (!stillLast()) return;
          result.replaceChildren();
          input.value = "";
          status.textContent = "The capture is removed.";
        }),
      );
      const fold = make("details", { class: "atlas-others" });
      fold.append(make("summary", {}, "What this file holds of the machine"), listFacts(given));
      const against = make("p", {}, `Compared with the record of ${given.against.words}.`);
      result.replaceChildren(against, remove, fold, ...listChanges(given), ...listUncompared(given));
      let note = given.summary;
      const keeping = keep(given, isNew);
      const sayKept = () => isLast() && (status.textContent = given.summary);
      try {
        await within(keeping);
      } catch {
        keeping.then(sayKept, () => {}); // storage that answers late has kept it all the same
        note += " This browser stores nothing for this page, so other pages cannot show the differences.";
        note += " To change that, allow this site to store data, close its other tabs and choose the file again.";
      }
      if (isLast()) status.textContent = note;
    }

    // Says what the page waits for, where that takes long.
    const watch = (isLast) =>
      setTimeout(() => {
        if (isLast()) status.textContent = WAITING;
      }, SLOW);

    async function guarded(work) {
      turn += 1;
      const mine = turn;
      const isLast = () => mine === turn;
      const slow = watch(isLast);
      try {
        await work(isLast);
      } catch (problem) {
        if (!isLast()) return;
        result.replaceChildren();
        const words = problem instanceof Refusal ? problem.message : "The file could not be read";
        status.textContent = `Refused: ${words}. Choose a capture.json that atlas-probe.pyz of this site has written, or let it compare this one: python atlas-probe.pyz --from capture.json`;
      } finally {
        clearTimeout(slow);
      }
    }

    async function take(file) {
      if (!file) return;
      status.textContent = "Reading …";
      await guarded(async (isLast) => {
        if (file.size > MOST_BYTES) refuse("", "is larger than 60 MB");
        const content = await file.text();
        if (isLast()) await showComparison(read(content), true, isLast);
      });
    }

    input.addEventListener("change", () => take(input.files[0]));
    // The same file again is a change for a browser only where none is chosen.
    input.addEventListener("click", () => {
      input.value = "";
    });
    place.addEventListener("dragover", (event) => event.preventDefault());
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    });
    (async () => {
      const isLast = () => turn === 0;
      const slow = watch(isLast);
      try {
        const kept = await store("readonly");
        const given = await done(kept.get("comparison"));
        if (given?.form === FORM && isLast()) await showComparison(given, false, isLast);
      } catch (problem) {
        if (turn > 0 || !(problem instanceof NoAnswer)) return; // a browser that forbids storage keeps nothing
        const words = "This browser's storage does not answer, so a capture that it keeps cannot be shown.";
        status.textContent = `${words} Close other tabs of this site and reload this page, or choose the file again.`;
      } finally {
        clearTimeout(slow);
      }
    })();
  }

  document.addEventListener("DOMContentLoaded", () => {
    ({ store, answer, done, within, NoAnswer, boxes } = window.atlasMachine);
    document.querySelectorAll(".atlas-machine").forEach(startPage);
    nameAddress();
  });
})();
