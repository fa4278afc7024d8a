// Every cell of the matrix behind filters, from the data of tensor_atlas/site/matrix/matrix_directives.py.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make } = window.atlasSite;
  const data = window.atlasCells;
  const root = document.querySelector(".atlas-filter");
  if (!data || !root) return;
  const MOST = 100;
  const NOT_RUN = "not run";
  const UNTRIED = " ";
  const [NAME, TITLE, GROUP, FAMILY, CELLS] = [0, 1, 2, 3, 4];
  const [FORM, DTYPE, LAYOUT, DEVICE] = [2, 3, 4, 5];

  const distinct = (values) => [...new Set(values)].filter(Boolean);
  const ofCalls = (field) => distinct(data.calls.map((call) => call[field]));
  const ofSources = (field) => distinct(data.sources.map((source) => source[field]));
  const words = data.outcomes.map(([, , word]) => word);
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

  // The letter of what an environment did with a cell; a blank where it has not tried.
  function readLetter(pattern, place) {
    return data.patterns[pattern][place] ?? UNTRIED;
  }

  function* find() {
    const [group, family, form, dtype, layout, device, outcome] = selects.map((select) => select.value);
    const place = data.environments.indexOf(document.documentElement.dataset.atlasEnvironment);
    const wanted = (value, asked) => !asked || value === asked;
    const isWanted = (source) =>
      wanted(source[FORM], form) && wanted(source[DTYPE], dtype) && wanted(source[LAYOUT], layout) && wanted(source[DEVICE], device);
    const inputs = [...data.sources.keys()].filter((index) => isWanted(data.sources[index]));
    for (const call of data.calls) {
      if (!wanted(call[GROUP], group) || !wanted(call[FAMILY], family)) continue;
      for (const index of inputs) {
        const pattern = call[CELLS][index];
        if (pattern < 0) continue;
        const letter = readLetter(pattern, place < 0 ? data.environments.length - 1 : place);
        if (wanted(letter === UNTRIED ? NOT_RUN : words[letter], outcome)) yield [call, data.sources[index], letter];
      }
    }
  }

  function spell(cell) {
    const letter = cell[2];
    if (letter !== UNTRIED) {
      const [sign, css, word] = data.outcomes[letter];
      return make("span", { class: `atlas-outcome-${css}` }, `${sign} ${word}`);
    }
    return make("small", { class: "atlas-rung" }, NOT_RUN);
  }

  function buildLine(cell) {
    const [call, source] = cell;
    const code = make("code", {}, call[TITLE]);
    const address = `${root.dataset.address.replace("NAME", call[NAME])}#${source[NAME]}`;
    const hasPage = call[CELLS].some((pattern) => pattern >= 0 && data.patterns[pattern]);
    const name = hasPage ? make("a", { href: address }, code) : make("span", {}, code);
    name.append(` on ${source[TITLE]}`);
    return make("li", { class: "atlas-cell" }, name, spell(cell));
  }

  function show() {
    const isAsked = selects.some((select) => select.value);
    const found = isAsked ? [...find()] : [];
    list.replaceChildren(...found.slice(0, MOST).map(buildLine));
    list.hidden = found.length === 0;
    const rest = found.length > MOST ? `; the first ${MOST} are listed` : "";
    status.textContent = isAsked ? `${found.length.toLocaleString("en")} cells${rest}.` : "Choose what to list.";
  }

  root.replaceChildren(make("div", { class: "atlas-filter-choice" }, ...selects), status, list);
  document.addEventListener("atlas-environment", show);
  show();
})();
