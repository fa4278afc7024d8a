// Shows every page as the chosen environment saw it. The choice is one environment's id, kept for all pages.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make, findTarget } = window.atlasSite;
  const { readLetter } = window.atlasOutcomes;
  const KEY = "atlas-environment";
  const environments = window.atlasEnvironments ?? [];
  const newest = environments.find((environment) => environment.newest) ?? environments[0];
  const byId = new Map(environments.map((environment) => [environment.id, environment]));

  // A capture of the reader's own machine, which another page has put into this browser: shown as the record
  // that is nearest to it, with the differences marked (atlas-machine.js).
  function machine() {
    try {
      const facts = JSON.parse(localStorage.getItem("atlas-machine"));
      const nearest = byId.get(facts?.nearest);
      return nearest ? { ...nearest, id: "machine", nearest, words: String(facts.words) } : null;
    } catch {
      return null;
    }
  }

  const findEnvironment = (id) => (id === "machine" ? machine() : (byId.get(id) ?? null));

  function kept() {
    try {
      return findEnvironment(localStorage.getItem(KEY));
    } catch {
      return null; // a browser may forbid storage; the choice then holds for this page
    }
  }

  function keep(environment) {
    try {
      if (environment === null) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, environment.id);
    } catch {
      // see kept()
    }
  }

  const pythonOf = ({ python, usual }) => (usual ? "" : `, Python ${python}`);
  const words = (environment) =>
    `torch ${environment.torch}, NumPy ${environment.numpy}${pythonOf(environment)}, ${environment.device}`;

  const listed = (element, attribute, id) => (element.getAttribute(attribute) ?? "").split(" ").includes(id);
  const parsed = (text) => (text ? JSON.parse(text) : {});

  // --- what a page shows -------------------------------------------------------------------------

  function restore() {
    document.querySelectorAll(".atlas-chosen").forEach((element) => element.remove());
    document.querySelectorAll(".atlas-put-aside").forEach((element) => {
      element.classList.remove("atlas-put-aside");
      element.hidden = false;
    });
  }

  function putAside(element) {
    element.classList.add("atlas-put-aside");
    element.hidden = true;
  }

  function showExample(stamp, chosen) {
    const first = document.querySelector("article :is(.atlas-block, .atlas-stamp)"); // above the first output
    const absent = parsed(stamp.dataset.absent);
    if (!listed(stamp, "data-measured", chosen.id)) {
      const shown = byId.get(stamp.dataset.shown);
      const why = absent[chosen.id] ? `this example ${absent[chosen.id]}` : "nobody has run it there";
      const rest = shown ? ` What follows is the output of ${words(shown)}.` : "";
      first.before(make("p", { class: "atlas-chosen atlas-notice" }, `No record of ${words(chosen)}: ${why}.${rest}`));
      return;
    }
    if (stamp.dataset.shown === chosen.id) return;
    first.before(make("p", { class: "atlas-chosen atlas-notice" }, `You see the output of ${words(chosen)}.`));
    const [statements, blocks] = parsed(stamp.dataset.ended)[chosen.id] ?? [Infinity, []];
    document.querySelectorAll(".atlas-outcomes").forEach((place) => {
      let why = "";
      if (Number(place.dataset.statement) >= statements) why = "Not reached: the run ended further up.";
      if (blocks.includes(Number(place.dataset.block))) why = "Not measured: not every statement of this block ran to its end.";
      if (why) replace(place, [make("p", { class: "atlas-notice" }, why)]);
      else showOutcome(place, chosen);
    });
  }

  function showOutcome(place, chosen) {
    const kind = "statement" in place.dataset ? "statement" : "block";
    // A statement of an error page has a second place, at its top, without the others' outcomes.
    const alike = `.atlas-outcomes[data-${kind}="${place.dataset[kind]}"] [data-environments]`;
    const own = [...document.querySelectorAll(alike)];
    const aside = [...document.querySelectorAll(`[data-of-${kind}="${place.dataset[kind]}"]`)];
    const found = [...own, ...aside].find((outcome) => listed(outcome, "data-environments", chosen.id));
    if (!found) return; // it did what the newest release does
    const parts = [...found.children].filter((child) => !child.matches(".atlas-where, [class*='highlight-']"));
    replace(
      place,
      parts.map((part) => part.cloneNode(true)),
    );
  }

  function replace(place, parts) {
    const chosen = make("div", { class: "atlas-outcome atlas-chosen" });
    chosen.append(...parts);
    const shown = place.querySelector(":scope > .atlas-outcome:not(.atlas-chosen)");
    putAside(shown);
    shown.after(chosen);
  }

  function showAnswers(chosen) {
    document.querySelectorAll(".atlas-answers").forEach((place) => {
      const found = [...place.querySelectorAll("[data-environments]")].find((answer) =>
        listed(answer, "data-environments", chosen.id),
      );
      if (!found) return;
      const copy = found.cloneNode(true);
      copy.hidden = false;
      copy.classList.add("atlas-chosen");
      const shown = place.querySelector(":scope > .atlas-answer");
      putAside(shown);
      shown.after(copy);
    });
  }

  function showMessages(chosen) {
    document.querySelectorAll(".atlas-message[data-pattern]").forEach((message) => {
      const ids = message.closest("[data-environments]").dataset.environments.split(" ");
      if (readLetter(message.dataset.pattern, ids.indexOf(chosen.id)) !== undefined) return;
      message.prepend(make("p", { class: "atlas-chosen atlas-notice" }, `Not seen with ${words(chosen)}.`));
    });
  }

  function showMatrix(root, chosen) {
    const ids = root.dataset.environments.split(" ");
    const place = ids.indexOf(chosen.id);
    if (place === Number(root.dataset.shown)) return;
    const stamp = root.querySelector(".atlas-stamp");
    // A cell without a pattern is the same in every environment.
    const tried = [...root.querySelectorAll(".atlas-cell-answers")].some(
      ({ dataset }) => dataset.pattern === undefined || readLetter(dataset.pattern, place) !== undefined,
    );
    if (place < 0 || !tried) {
      const shown = byId.get(ids[Number(root.dataset.shown)]);
      const rest = shown ? ` What follows was recorded with ${words(shown)}.` : "";
      stamp.before(make("p", { class: "atlas-chosen atlas-notice" }, `Not tried with ${words(chosen)}.${rest}`));
      return;
    }
    const name = root.querySelector(".atlas-shown-name");
    name.after(make("span", { class: "atlas-chosen" }, words(chosen)));
    putAside(name);
    root.querySelectorAll(".atlas-cell-answers[data-pattern]").forEach((cell) => showCell(cell, place));
    root.querySelectorAll(".atlas-tally").forEach((tally) => countAnew(tally, tally.closest("section") ?? root));
  }

  function showCell(answers, place) {
    const number = String(readLetter(answers.dataset.pattern, place));
    const answer = answers.querySelector(".atlas-cell-answer");
    if (listed(answer, "data-numbers", number)) return; // it did what the newest does
    const found = [...answers.querySelectorAll("[hidden]")].find((other) => listed(other, "data-numbers", number));
    const copy = found ? found.cloneNode(true) : make("span", {}, "not tried");
    copy.hidden = false;
    copy.classList.add("atlas-chosen");
    answer.after(copy);
    putAside(answer);
    const cell = answer.closest("details.atlas-cell");
    if (cell === null) return; // a line of a source's page, or a cell of the table
    const shown = cell.querySelector(".atlas-cell-body > .atlas-variant");
    const body = [...cell.querySelectorAll(".atlas-elsewhere")].find((other) => listed(other, "data-numbers", number));
    const facts = body ? body.querySelector(".atlas-variant").cloneNode(true) : make("p", { class: "atlas-notice" }, "Not tried there.");
    if (body || !found) {
      facts.classList.add("atlas-chosen");
      shown.after(facts);
      putAside(shown);
    }
  }

  // The counts above some lines, of what these lines say.
  function countAnew(tally, part) {
    const said = [...part.querySelectorAll(".atlas-cell-answers > :not([hidden]) > [class^='atlas-outcome-']")];
    const outcomes = said.map((badge) => badge.textContent.slice(2));
    const copy = tally.cloneNode(true);
    copy.classList.add("atlas-chosen");
    copy.querySelectorAll("[data-outcome]").forEach((one) => {
      const count = outcomes.filter((outcome) => outcome === one.dataset.outcome).length;
      one.hidden = count === 0;
      if (one.matches("li")) {
        const badge = one.firstElementChild;
        badge.textContent = `${badge.textContent[0]} ${count} ${one.dataset.outcome}`;
      } else one.style.flex = String(count);
    });
    tally.after(copy);
    putAside(tally);
  }

  // A link to a cell opens it, and a link to a row of the overview what the row is folded into.
  function openTarget() {
    const target = findTarget();
    if (!target?.matches(".atlas-cell, .atlas-row")) return;
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  }

  function show(picked) {
    restore();
    document.dispatchEvent(new CustomEvent("atlas-machine", { detail: Boolean(picked?.nearest) }));
    const nearest = picked?.nearest ?? picked;
    const chosen = nearest === newest ? null : nearest;
    document.documentElement.dataset.atlasEnvironment = (chosen ?? newest).id;
    document.dispatchEvent(new CustomEvent("atlas-environment"));
    if (chosen === null) return;
    document.querySelectorAll(".atlas-stamp[data-measured]").forEach((stamp) => showExample(stamp, chosen));
    document.querySelectorAll(".atlas-matrix").forEach((root) => showMatrix(root, chosen));
    showAnswers(chosen);
    showMessages(chosen);
  }

  // --- the picker ----------------------------------------------------------------------------------

  function fill(select, values, value) {
    select.replaceChildren(...values.map((text) => new Option(text, text, false, text === value)));
    select.disabled = values.length < 2;
  }

  const distinct = (values) => [...new Set(values)];

  function describe(picker, chosen) {
    const current = chosen ?? newest;
    const select = (name) => picker.querySelector(`[data-atlas="${name}"]`);
    const ofTorch = environments.filter((environment) => environment.torch === current.torch);
    const ofNumpy = ofTorch.filter((environment) => environment.numpy === current.numpy);
    fill(select("torch"), distinct(environments.map((environment) => environment.torch)), current.torch);
    fill(select("numpy"), distinct(ofTorch.map((environment) => environment.numpy)), current.numpy);
    fill(select("device"), distinct(ofNumpy.map((environment) => environment.device)), current.device);
    const alike = ofNumpy.filter((environment) => environment.device === current.device);
    fill(select("python"), distinct(alike.map((environment) => environment.python)), current.python);
    const misfit = current.fits ? "" : " This torch cannot use this NumPy; the pages show what happens with the two.";
    const own = current.nearest ? `${current.words}: the nearest record is shown, differences are marked. ` : "";
    picker.querySelector(".atlas-picker-note").textContent = `${own}Recorded ${current.date}.${misfit}`;
    const button = picker.querySelector(".atlas-picker-button");
    if (own) button.replaceChildren("This machine");
    else button.replaceChildren(make("span", { class: "atlas-picker-prefix" }, "torch "), current.torch);
    button.setAttribute("aria-label", `Environment: ${own || words(current)}. Choose another`);
    picker.querySelector(".atlas-picker-machine").hidden = Boolean(own) || machine() === null;
    picker.classList.toggle("atlas-picker-chosen", chosen !== null);
    picker.querySelector(".atlas-picker-reset").hidden = chosen === null;
  }

  function findNearest(wanted, changed) {
    // What was just chosen holds; of the rest as much as there is a record of, the newest first.
    const rank = (environment) =>
      (changed === "torch" ? 16 : 1) * environment.fits +
      8 * (environment.numpy === wanted.numpy) +
      4 * (environment.device === wanted.device) +
      2 * (environment.python === wanted.python);
    const same = environments.filter(
      (environment) =>
        environment[changed] === wanted[changed] && (changed === "torch" || environment.torch === wanted.torch),
    );
    return same.reduce((best, environment) => (rank(environment) > rank(best) ? environment : best));
  }

  function start(pickers) {
    const take = (chosen) => {
      pickers.forEach((picker) => describe(picker, chosen));
      show(chosen);
    };
    const choose = (environment) => {
      const chosen = environment === newest ? null : environment;
      keep(chosen);
      take(chosen);
    };
    pickers.forEach((picker) => equip(picker, choose));
    // A page that hears of a choice writes nothing: what it reads may be older than what it hears.
    window.addEventListener("storage", (event) => {
      if (event.key === KEY) take(findEnvironment(event.newValue));
    });
    window.addEventListener("atlas-machine-kept", () => take(kept()));
    take(kept());
  }

  function equip(picker, choose) {
    const panel = picker.querySelector(".atlas-picker-panel");
    const button = picker.querySelector(".atlas-picker-button");
    const open = (isOpen) => {
      panel.hidden = !isOpen;
      button.setAttribute("aria-expanded", String(isOpen));
    };

    button.addEventListener("click", () => open(panel.hidden));
    picker.querySelector(".atlas-picker-reset").addEventListener("click", () => {
      choose(newest);
      button.focus();
    });
    picker.querySelector(".atlas-picker-machine").addEventListener("click", () => {
      choose(machine() ?? newest);
      button.focus();
    });
    picker.querySelectorAll("select").forEach((select) => {
      select.addEventListener("change", () => {
        const wanted = Object.fromEntries([...picker.querySelectorAll("select")].map((s) => [s.dataset.atlas, s.value]));
        choose(findNearest(wanted, select.dataset.atlas));
      });
    });
    picker.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !panel.hidden) {
        open(false);
        button.focus();
      }
    });
    document.addEventListener("click", (event) => {
      if (!picker.contains(event.target)) open(false);
    });
    picker.hidden = false;
  }

  window.addEventListener("hashchange", openTarget);
  document.addEventListener("DOMContentLoaded", () => {
    openTarget();
    if (environments.length > 1) start([...document.querySelectorAll(".atlas-picker")]);
  });
})();
