// Every cell of the matrix behind filters, from the data of tensor_atlas/site/matrix/matrix_directives.py.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make, findTarget, locateConversion } = window.atlasSite;
  const { placeOf, outcomeAt, hasOutcome, readNumbers, readMappings } = window.atlasOutcomes;
  const data = window.atlasCells;
  const root = document.querySelector(".atlas-filter");
  if (!data || !root) return;
  const MOST = 100;
  const NOT_RUN = "not run";
  const [NAME, TITLE, GROUP, FAMILY] = [0, 1, 2, 3];
  const [FORM, DTYPE, LAYOUT, DEVICE] = [2, 3, 4, 5];

  const distinct = (values) => [...new Set(values)].filter(Boolean);
  const ofCalls = (field) => distinct(data.calls.map((call) => call[field]));
  const ofSources = (field) => distinct(data.sources.map((source) => source[field]));
  const words = data.outcomes.map(([, , word]) => word);
  const mappings = readMappings(data.mappings);
  const cells = readNumbers(data.cells).map((number) => mappings[number] ?? null);
  const cellsOf = (call) => cells.slice(call * data.sources.length, (call + 1) * data.sources.length);
  const FIELDS = [
    ["Group", ofCalls(GROUP)],
    ["Function", ofCalls(FAMILY)],
    ["Input", ofSources(FORM)],
    ["dtype", ofSources(DTYPE)],
    ["Layout", ofSources(LAYOUT)],
    ["Device", ofSources(DEVICE)],
    ["Outcome", [...words, NOT_RUN]],
  ];

  const selects = FIELDS.map(([label, values]) => {
    const select = make("select", { "aria-label": label });
    select.append(new Option(`${label}: any`, ""), ...values.map((value) => new Option(value)));
    select.addEventListener("change", show);
    return select;
  });
  const status = make("p", { role: "status" });
  const list = make("ul", { class: "atlas-cells" });

  function findPlace() {
    const chosen = document.documentElement.dataset.atlasEnvironment;
    return placeOf(data.environments.includes(chosen) ? chosen : data.environments.at(-1));
  }

  const wanted = (value, asked) => !asked || value === asked;
  const isRun = (mapping) => mapping !== null && hasOutcome(mapping);

  function* find() {
    const [group, family, form, dtype, layout, device, outcome] = selects.map((select) => select.value);
    const place = findPlace();
    const isWanted = (source) =>
      wanted(source[FORM], form) && wanted(source[DTYPE], dtype) && wanted(source[LAYOUT], layout) && wanted(source[DEVICE], device);
    const inputs = [...data.sources.keys()].filter((index) => isWanted(data.sources[index]));
    for (const [number, call] of data.calls.entries()) {
      if (!wanted(call[GROUP], group) || !wanted(call[FAMILY], family)) continue;
      const row = cellsOf(number);
      for (const index of inputs) {
        if (row[index] === null) continue;
        const there = outcomeAt(row[index], place);
        // A page of a conversion has the cells that nobody has run, too; a page of an input has not.
        const isShown = window.atlasRows.includes(call[NAME]) ? isRun(row[index]) : row.some(isRun);
        if (wanted(words[there] ?? NOT_RUN, outcome)) yield { call, source: data.sources[index], there, isShown };
      }
    }
  }

  function spell(outcome) {
    if (outcome === undefined) return make("small", { class: "atlas-rung" }, NOT_RUN);
    const [sign, css, word] = data.outcomes[outcome];
    return make("span", { class: `atlas-outcome-${css}` }, `${sign} ${word}`);
  }

  function buildLine({ call, source, there, isShown }) {
    const code = make("code", {}, call[TITLE]);
    const address = locateConversion(call[NAME], source[NAME]);
    const name = isShown ? make("a", { href: address }, code) : make("span", {}, code);
    name.append(` on ${source[TITLE]}`);
    return make("li", { class: "atlas-cell" }, name, spell(there));
  }

  function show() {
    const isAsked = selects.some((select) => select.value);
    const found = isAsked ? [...find()] : [];
    list.replaceChildren(...found.slice(0, MOST).map(buildLine));
    list.hidden = found.length === 0;
    const rest = found.length > MOST ? `; the first ${MOST} are listed` : "";
    status.textContent = isAsked ? `${found.length.toLocaleString("en")} cells${rest}.` : "Choose what to list.";
  }

  function nameEnvironment(id) {
    const { torch, numpy, device } = window.atlasEnvironments.find((environment) => environment.id === id);
    return `torch ${torch}, NumPy ${numpy}, ${device}`;
  }

  // A conversion without a page of its own: its row in the list of all holds its cells while the address names it.
  function openRow() {
    document.querySelectorAll(".atlas-row > .atlas-cells").forEach((open) => open.remove());
    const row = findTarget();
    const number = data.calls.findIndex((call) => call[NAME] === row?.id);
    if (!row?.matches(".atlas-row") || number < 0) return;
    const lines = [...cellsOf(number).entries()].filter(([, mapping]) => isRun(mapping));
    const isTriedAt = (place) => lines.some(([, mapping]) => outcomeAt(mapping, place) !== undefined);
    const chosen = findPlace();
    // A call that names a device ran where the device is.
    const other = isTriedAt(chosen) ? undefined : data.environments.findLast((id) => isTriedAt(placeOf(id)));
    const place = other ? placeOf(other) : chosen;
    const items = lines.map(([index, mapping]) => {
      const source = data.sources[index];
      const link = make("a", { href: locateConversion(row.id, source[NAME]) }, source[TITLE]);
      return make("li", { class: "atlas-cell" }, link, spell(outcomeAt(mapping, place)));
    });
    if (other) items.unshift(make("li", { class: "atlas-cell atlas-names" }, `With ${nameEnvironment(other)}:`));
    row.append(make("ul", { class: "atlas-cells" }, ...items));
  }

  root.replaceChildren(make("div", { class: "atlas-filter-choice" }, ...selects), status, list);
  document.addEventListener("atlas-environment", show);
  document.addEventListener("atlas-environment", openRow);
  window.addEventListener("hashchange", openRow);
  show();
  openRow();
})();
