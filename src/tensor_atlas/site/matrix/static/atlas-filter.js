// Every cell of the matrix behind filters, from the data of tensor_atlas/site/matrix/matrix_directives.py.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make, loadScript, findTarget, locateConversion } = window.atlasSite;
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
  // Inputs with the same outcome share a line; of the newest environment it says why a call raises, and what to
  // call instead, from the data of tensor_atlas/pages/row_errors.py.
  const [KIND, MESSAGE, REMEDY, INPUTS] = [0, 1, 2, 3];
  const SOME = 3;
  const MANY = 6; // links that stand between two answers
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

  function groupBy(items, read) {
    const groups = new Map();
    for (const item of items) groups.set(read(item), [...(groups.get(read(item)) ?? []), item]);
    return [...groups].sort(([, one], [, other]) => other.length - one.length);
  }

  /** Links to the cells of some inputs: the first of them, and the others behind their number. */
  function linkInputs(row, inputs) {
    const links = inputs.map((index) => {
      const source = data.sources[index];
      return make("li", {}, make("a", { href: locateConversion(row, source[NAME]) }, source[TITLE]));
    });
    const join = (some) => make("ul", { class: "atlas-inputs" }, ...some);
    if (links.length <= MANY + 1) return join(links);
    const parts = document.createDocumentFragment();
    const head = make("summary", {}, `${links.length - MANY} more inputs`);
    parts.append(join(links.slice(0, MANY)), make("details", {}, head, join(links.slice(MANY))));
    return parts;
  }

  /** Inputs with one outcome, below what they say and what to call instead. */
  function buildInputs(row, inputs, errors) {
    const texts = data.errors?.texts;
    const isSaid = (index) => texts && errors.has(index);
    const said = groupBy(inputs.filter(isSaid), (index) => errors.get(index)[MESSAGE]);
    const parts = said.map(([message, some]) => {
      const calls = groupBy(some, (index) => errors.get(index)[REMEDY]);
      const known = calls.filter(([call]) => texts[call]);
      const lists = calls.flatMap(([call, those]) => {
        const links = linkInputs(row, those);
        if (!known.length) return [links];
        const instead = texts[call] ? ["Instead: ", make("code", {}, texts[call])] : ["No recommended call is recorded for:"];
        return [make("p", { class: "atlas-cell-instead" }, ...instead), links];
      });
      const line = texts[message] ? [make("p", {}, make("code", {}, texts[message]))] : [];
      return make("div", { class: "atlas-said" }, ...line, ...lists);
    });
    const silent = inputs.filter((index) => !isSaid(index));
    return silent.length ? [linkInputs(row, silent), ...parts] : parts;
  }

  /** One outcome of a row: on how many inputs, the usual ones, and the rare ones behind their number. */
  function buildAnswer(row, [outcome, inputs], total, errors) {
    const kinds = groupBy(inputs.filter((index) => errors.has(index)), (index) => errors.get(index)[KIND]);
    const names = kinds.slice(0, SOME).map(([kind]) => data.errors.texts[kind]);
    const badge = spell(outcome);
    if (names.length) badge.append(` ${names.join(", ")}${kinds.length > SOME ? ", …" : ""}`);
    const many = inputs.length === total ? `all ${count(total, "input")} that ran` : `${inputs.length} of ${count(total, "input")}`;
    const head = make("p", { class: "atlas-answer-head" }, badge, ` on ${total === 1 ? "its one input" : many}`);
    const usual = inputs.filter((index) => isUsual(index));
    const rare = inputs.filter((index) => !isUsual(index));
    const fold = make("details", {}, make("summary", {}, `${count(rare.length, "rare input")}`), ...buildInputs(row, rare, errors));
    const isFolded = usual.length > 0 && rare.length > 0;
    const parts = isFolded ? [...buildInputs(row, usual, errors), fold] : buildInputs(row, inputs, errors);
    return make("li", { class: "atlas-answer" }, head, ...parts);
  }

  const order = () => data.errors?.order ?? [...data.sources.keys()];
  const isUsual = (index) => !data.errors || data.errors.order.indexOf(index) < data.errors.usual;

  /** The environment of whose cells the data say why they raise, if the reader has chosen no other. */
  function isNewest() {
    const { environments, shown } = document.querySelector(".atlas-compat").dataset;
    const chosen = document.documentElement.dataset.atlasEnvironment;
    return !data.environments.includes(chosen) || chosen === environments.split(" ")[shown];
  }

  function readErrors(row, isSaid) {
    const found = (isSaid && data.errors?.rows[row]) || [];
    return new Map(found.flatMap((error) => error.slice(INPUTS).map((index) => [index, error])));
  }

  function showRow(row, number) {
    const cellsOfRow = cellsOf(number);
    const inputs = order().filter((index) => isRun(cellsOfRow[index]));
    const isTriedAt = (place) => inputs.some((index) => outcomeAt(cellsOfRow[index], place) !== undefined);
    // A call that names a device ran where the device is.
    const other = isTriedAt(findPlace()) ? undefined : data.environments.findLast((id) => isTriedAt(placeOf(id)));
    const place = other ? placeOf(other) : findPlace();
    const errors = readErrors(row.id, other || isNewest());
    const groups = groupBy(inputs, (index) => outcomeAt(cellsOfRow[index], place));
    const tried = groups.filter(([outcome]) => outcome !== undefined);
    const total = tried.reduce((sum, [, some]) => sum + some.length, 0);
    const items = tried.map((group) => buildAnswer(row.id, group, total, readOfOutcome(errors, group)));
    for (const [, some] of groups.filter(([outcome]) => outcome === undefined)) {
      const head = make("summary", {}, `Not run in this environment: ${count(some.length, "input")}`);
      items.push(make("li", { class: "atlas-answer" }, make("details", {}, head, linkInputs(row.id, some))));
    }
    const family = data.calls[number][FAMILY];
    const up = make("a", { href: "#every-conversion" }, "All conversions");
    row.prepend(make("p", { class: "atlas-row-path" }, up, ` › ${family}`));
    if (other) row.append(make("p", { class: "atlas-names" }, `With ${nameEnvironment(other)}:`));
    row.append(make("ul", { class: "atlas-cells atlas-answers" }, ...items));
  }

  /** Errors of inputs of one outcome; none where it is no failure. */
  function readOfOutcome(errors, [, inputs]) {
    return new Map(inputs.filter((index) => errors.has(index)).map((index) => [index, errors.get(index)]));
  }

  let loading;
  async function openRow() {
    document.querySelectorAll(".atlas-row > :not(a, code, span)").forEach((open) => open.remove());
    const row = findTarget();
    const number = data.calls.findIndex((call) => call[NAME] === row?.id);
    if (!row?.matches(".atlas-row") || number < 0) return;
    loading ??= loadScript(data.script).catch(() => undefined);
    await loading;
    if (findTarget() !== row || row.querySelector(".atlas-cells")) return;
    showRow(row, number);
    row.scrollIntoView();
  }

  root.replaceChildren(make("div", { class: "atlas-filter-choice" }, ...selects), status, list);
  document.addEventListener("atlas-environment", show);
  document.addEventListener("atlas-environment", openRow);
  window.addEventListener("hashchange", openRow);
  show();
  openRow();
})();
