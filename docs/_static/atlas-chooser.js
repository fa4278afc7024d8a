// Answers "I have this, I want that" from the matrix: which calls do it, the best first, and why the others do not.
// The ranking is that of tensor_atlas/matrix/chooser.py, rule by rule; a test in a browser holds the two together.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const data = window.atlasMatrix;
  const LISTED = 6;
  // Calls that are shown at once; the others are folded in.

  // --- the data ----------------------------------------------------------------------------------

  const named = (names) => Object.fromEntries(names.map((entry, index) => [entry[0], index]));
  const KIND = named(data.kinds);
  const MEMORY = named(data.memories);
  const VERDICT = named(data.verdicts);
  const OUTCOME = named(data.outcomes);
  const FAILURES = new Set([OUTCOME.RAISES, OUTCOME.CRASHES, OUTCOME.TIMES_OUT, OUTCOME.NO_SOURCE]);
  const plain = new Set(data.plain);

  const sources = data.sources.map((fields, index) => {
    const [name, title, form, code, dtype, layout, device, flags] = fields;
    return { index, name, title, form, code, dtype, layout, device, flags };
  });
  const columns = data.groups.map(([, members]) => members);
  const places = columns.map((members) => new Map(members.map((source, place) => [source, place])));
  const conversions = [];
  let width = 0;
  data.conversions.forEach(([name, title, group, steps], index) => {
    conversions.push({ index, name, title, group, steps, kinds: data.groups[group][0], start: width });
    width += columns[group].length;
  });

  const told = data.told.map(([outcome, kind, type, element, device, shape, flags, ...texts]) => {
    const [value, error, ...warnings] = texts.map((place) => data.words[place]);
    return {
      outcome,
      kind,
      type: data.words[type],
      element: data.words[element],
      device: data.words[device],
      shape: data.words[shape],
      grad: (flags & 1) > 0,
      frozen: (flags & 2) > 0,
      writes: (flags & 4) > 0,
      otherShape: (flags & 8) > 0,
      otherValues: (flags & 16) > 0,
      unseen: (flags & 32) > 0,
      value,
      error,
      warnings,
    };
  });

  const environments = [];
  data.environments.forEach(([id, like, numbers]) => {
    const cells = new Uint32Array(like < 0 ? numbers : environments[like].cells);
    const changed = like < 0 ? [] : numbers;
    for (let index = 0, at = -1; index < changed.length; index += 2) {
      at += changed[index] + 1;
      cells[at] = changed[index + 1];
    }
    environments.push({ id, cells });
  });

  function cell(environment, conversion, source) {
    const place = places[conversion.group].get(source.index);
    return place === undefined ? undefined : told[environment.cells[conversion.start + place] - 1];
  }

  // --- the ranking -------------------------------------------------------------------------------

  function countsOf(environment, conversion, form, kind) {
    const counts = { tried: 0, gives: 0, shares: 0, copies: 0, crashes: 0, copiesAnywhere: 0 };
    columns[conversion.group].forEach((index, place) => {
      const one = told[environment.cells[conversion.start + place] - 1];
      if (one === undefined) return;
      counts.copiesAnywhere += one.outcome === OUTCOME.COPIES;
      if (sources[index].form !== form) return;
      counts.tried += 1;
      counts.crashes += one.outcome === OUTCOME.CRASHES || one.outcome === OUTCOME.TIMES_OUT;
      if (one.kind !== kind) return;
      counts.gives += 1;
      counts.shares += one.outcome === OUTCOME.SAME || one.outcome === OUTCOME.SHARES;
      counts.copies += one.outcome === OUTCOME.COPIES;
    });
    return counts;
  }

  function callOf(environment, conversion, have, kind) {
    const one = cell(environment, conversion, have);
    const others = environments.map((other) => cell(other, conversion, have)).filter((other) => other !== undefined);
    const isSame = (o) => o.outcome === one.outcome && o.type === one.type && o.element === one.element;
    const counts = countsOf(environment, conversion, have.form, kind);
    return { conversion, told: one, counts, same: others.filter(isSame).length, known: others.length };
  }

  const isFailure = (one) => FAILURES.has(one.outcome);
  const isLost = (one) => one.outcome === OUTCOME.NO_BYTES;
  const isData = (one) => one.kind === KIND.TENSOR || one.kind === KIND.ARRAY;
  const bare = (dtype) => dtype.replace(/^torch\./, "");
  const isKept = (have, one) => bare(one.element) === bare(have.dtype);
  const hasGrad = (have) => have.flags.split(", ").includes("requires grad");
  const isGradNew = (have, one) => one.grad && !hasGrad(have);
  const isGradGone = (have, one) => one.kind === KIND.TENSOR && !one.grad && hasGrad(have);

  const isUnlocked = (have, one) =>
    have.flags.split(", ").includes("read-only") && one.outcome === OUTCOME.SHARES && !one.frozen;

  function verdictOf({ have, want, hasBytes }, { told: one, counts }) {
    if (isFailure(one)) {
      const isStrict = want.memory === MEMORY.STRICT && counts.shares && !counts.copiesAnywhere;
      return isStrict && one.outcome === OUTCOME.RAISES ? VERDICT.REFUSES : VERDICT.RAISES;
    }
    if (one.kind !== want.kind) return VERDICT.KIND;
    if (want.device && want.device !== one.device) return VERDICT.DEVICE;
    if (isLost(one) && !want.device && one.device !== have.device) return VERDICT.DEVICE;
    if (want.element && want.element !== one.element) return VERDICT.ELEMENT;
    if (one.otherShape || (one.otherValues && !want.element)) return VERDICT.CHANGED;
    return want.kind === KIND.VALUE ? VERDICT.DOES : ofMemory(want.memory, one, counts, hasBytes);
  }

  function ofMemory(memory, one, counts, hasBytes) {
    if (memory === MEMORY.ANY || (isLost(one) && !hasBytes)) return VERDICT.DOES;
    if (isLost(one)) return VERDICT.EMPTY;
    const copies = one.outcome === OUTCOME.COPIES;
    if (memory === MEMORY.COPY) return copies ? VERDICT.DOES : VERDICT.SHARES;
    if (copies) return VERDICT.COPIES;
    return memory === MEMORY.STRICT && counts.copiesAnywhere ? VERDICT.SILENT : VERDICT.DOES;
  }

  function otherwise(memory, counts) {
    if (memory === MEMORY.SHARE) return counts.copies;
    if (memory === MEMORY.COPY) return counts.shares;
    return memory === MEMORY.STRICT ? counts.copiesAnywhere : 0;
  }

  function keyOf({ have, want }, { conversion, told: one, counts, same, known }) {
    return [
      one.writes,
      one.otherValues,
      isLost(one),
      isData(one) && one.device !== have.device,
      isData(one) && !isKept(have, one),
      isGradNew(have, one) || isGradGone(have, one),
      !plain.has(one.type),
      isUnlocked(have, one),
      one.warnings.length > 0 !== isUnlocked(have, one),
      one.unseen,
      otherwise(want.memory, counts) > 0,
      counts.crashes > 0,
      one.outcome === OUTCOME.SAME && want.memory !== MEMORY.ANY,
      known - same,
      conversion.steps,
      conversion.title.length,
      conversion.index,
    ].map(Number);
  }

  function reasonsOf({ have, want }, { told: one, counts, same, known }) {
    const forms = data.forms[have.form][1];
    const found = [];
    if (want.kind !== KIND.VALUE) {
      found.push(...reasonsOfCounts(want.memory, counts, forms));
      if (isKept(have, one) && !want.element) found.push("keeps the dtype");
    }
    if (counts.gives < counts.tried) found.push(`works with ${counts.gives} of ${counts.tried} ${forms}`);
    if (known > 1) found.push(`the same in ${same} of ${known} environments`);
    return found;
  }

  function reasonsOfCounts(memory, counts, forms) {
    if (memory === MEMORY.STRICT) return [counts.copiesAnywhere ? `sources that it copies: ${counts.copiesAnywhere}` : "never copies"];
    if (memory === MEMORY.ANY || counts.shares + counts.copies === 0) return [];
    const [verb, other, count] =
      memory === MEMORY.SHARE ? ["shares", "copies", counts.copies] : ["copies", "shares", counts.shares];
    return [count ? `${other} ${count} of ${counts.tried} ${forms}` : `always ${verb} ${forms}`];
  }

  function cautionsOf(have, { told: one, counts }) {
    return [
      [one.writes, "changes x itself"],
      [one.outcome === OUTCOME.SAME, "is x itself"],
      [one.otherValues, `other elements: ${one.value}`],
      [one.otherShape, `another shape: ${one.shape}`],
      [isLost(one), "no elements, or none at an address"],
      [one.device !== "" && one.device !== have.device, `on ${one.device}`],
      [isGradNew(have, one), "records gradients"],
      [isGradGone(have, one), "ends the gradient"],
      [one.frozen, "NumPy forbids writing to it"],
      [isUnlocked(have, one), "can write to x, which is read-only"],
      [one.unseen && !isLost(one), "its elements were not recorded"],
      [counts.crashes > 0, `kills the process with ${counts.crashes} of ${counts.tried} ${data.forms[have.form][1]}`],
    ]
      .filter(([holds]) => holds)
      .map(([, words]) => words);
  }

  function before(some, others) {
    const at = some.findIndex((value, index) => value !== others[index]);
    return at < 0 ? 0 : some[at] - others[at];
  }

  function ranked(have, want, environment) {
    const calls = conversions
      .filter((one) => one.kinds.includes(want.kind) && cell(environment, one, have) !== undefined)
      .map((one) => callOf(environment, one, have, want.kind))
      .filter((call) => call.counts.gives > 0);
    const hasBytes = calls.some(({ told: one }) => [OUTCOME.SHARES, OUTCOME.COPIES].includes(one.outcome));
    const asked = { have, want, hasBytes };
    const judged = calls.map((call) => ({ call, verdict: verdictOf(asked, call), key: keyOf(asked, call) }));
    if (judged.some(({ verdict }) => verdict === VERDICT.DOES)) {
      // Where others share, a call that raises would not have to copy.
      judged.filter(({ verdict }) => verdict === VERDICT.REFUSES).forEach((one) => (one.verdict = VERDICT.RAISES));
    }
    judged.sort((a, b) => a.verdict - b.verdict || before(a.key, b.key));
    return judged.map(({ call, verdict }) => {
      return { call, verdict, reasons: reasonsOf(asked, call), cautions: cautionsOf(have, call) };
    });
  }

  const chosen = new Map();

  function choices(have, kind) {
    // What any environment has given, worked out once.
    const key = `${have.name} ${kind}`;
    if (!chosen.has(key)) chosen.set(key, given(have, kind));
    return chosen.get(key);
  }

  function given(have, kind) {
    const elements = new Set();
    const devices = new Set();
    for (const environment of environments) {
      for (const conversion of conversions) {
        const one = conversion.kinds.includes(kind) ? cell(environment, conversion, have) : undefined;
        if (one === undefined || one.kind !== kind) continue;
        elements.add(one.element);
        devices.add(one.device);
      }
    }
    devices.delete("");
    return { elements: [...elements].sort(), devices: [...devices].sort() };
  }

  // --- the question, and its address ---------------------------------------------------------------

  const sourceNamed = (name) => sources.find((source) => source.name === name);
  const kindsOf = (have) => data.forms[have.form][2];
  const FIRST = {
    have: sourceNamed("array-float32") ?? sources[0],
    want: { kind: KIND.TENSOR, memory: MEMORY.ANY, element: "", device: "" },
  };

  function settled({ have, want }) {
    // A question that can be asked: what the source cannot give is wanted no more.
    const kind = kindsOf(have).includes(want.kind) ? want.kind : kindsOf(have)[0];
    const memory = kind === KIND.VALUE ? MEMORY.ANY : want.memory;
    const { elements, devices } = choices(have, kind);
    const element = elements.includes(want.element) ? want.element : "";
    return { have, want: { kind, memory, element, device: devices.includes(want.device) ? want.device : "" } };
  }

  function read(hash) {
    const parts = new URLSearchParams(hash.replace(/^#/, ""));
    const have = sourceNamed(parts.get("have"));
    if (have === undefined) return null;
    const want = { kind: KIND[parts.get("want")] ?? 0, memory: MEMORY[parts.get("memory")] ?? 0 };
    const question = { have, want: { ...want, element: parts.get("dtype") ?? "", device: parts.get("device") ?? "" } };
    return { ...settled(question), seen: parts.get("with") };
  }

  function written({ have, want }, environment) {
    const parts = [
      ["have", have.name],
      ["want", data.kinds[want.kind][0]],
      ["memory", data.memories[want.memory][0]],
      ["dtype", want.element],
      ["device", want.device],
      ["with", environment.id],
    ];
    return `#${new URLSearchParams(parts.filter(([, value]) => value))}`;
  }

  // --- which source: kind, then dtype and so on, each only as there is a source ----------------------

  const FACETS = ["device", "dtype", "flags"];

  function nearest(members, have) {
    const rank = (source) =>
      8 * (bare(source.dtype) === bare(have.dtype)) +
      4 * (source.flags === have.flags) +
      2 * (source.device === have.device) +
      (source.layout === have.layout);
    return members.reduce((best, source) => (rank(source) > rank(best) ? source : best));
  }

  function ofForm(form, have) {
    return nearest(
      sources.filter((source) => source.form === form),
      have,
    );
  }

  function alike(have, facets) {
    return sources.filter((s) => s.form === have.form && facets.every((facet) => s[facet] === have[facet]));
  }

  function withFacet(have, facet, value) {
    const earlier = FACETS.slice(0, FACETS.indexOf(facet));
    return nearest(
      alike(have, earlier).filter((source) => source[facet] === value),
      { ...have, [facet]: value },
    );
  }

  // --- the form ------------------------------------------------------------------------------------

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const distinct = (values) => [...new Set(values)];

  function radios(name, legend, entries, current, choose) {
    const labels = entries.map(([value, words]) => {
      const input = make("input", { type: "radio", name: `atlas-${name}`, value });
      input.checked = value === current;
      input.addEventListener("change", () => choose(value));
      return make("label", { class: "atlas-option" }, input, make("span", {}, words));
    });
    const options = make("div", { class: "atlas-options" }, ...labels);
    return make("fieldset", { class: "atlas-field", "data-field": name }, make("legend", {}, legend), options);
  }

  function select(name, words, entries, current, choose) {
    const element = make("select", { "data-field": name });
    element.append(...entries.map(([value, text]) => new Option(text, value, false, value === current)));
    element.addEventListener("change", () => choose(element.value));
    const label = make("label", { class: "atlas-field" }, make("span", {}, words), element);
    label.hidden = entries.length < 2;
    return label;
  }

  function layoutWords(source, members) {
    // Lists and numbers have no layout: what tells them apart is what they are.
    const isOnly = members.filter(({ layout }) => layout === source.layout).length === 1;
    return isOnly && source.layout === "contiguous" ? source.layout : source.title;
  }

  const orNone = (value) => [value, value || "none"];

  function haveSide({ have, want }, ask) {
    const change = (source) => ask({ have: source, want });
    const forms = data.forms.map(([name], index) => [index, name]);
    const facets = FACETS.map((facet, index) => {
      const values = distinct(alike(have, FACETS.slice(0, index)).map((source) => source[facet]));
      const words = facet[0].toUpperCase() + facet.slice(1);
      return select(facet, words, values.map(orNone), have[facet], (value) => change(withFacet(have, facet, value)));
    });
    const members = alike(have, FACETS).map((source, _, all) => [source.name, layoutWords(source, all)]);
    const noun = distinct(alike(have, FACETS).map(({ layout }) => layout)).length > 1 ? "Layout" : "Which";
    const layouts = select("source", noun, members, have.name, (name) => change(sourceNamed(name)));
    return make(
      "fieldset",
      { class: "atlas-side-of-question" },
      make("legend", {}, "I have"),
      radios("form", "Kind", forms, have.form, (form) => change(ofForm(form, have))),
      make("div", { class: "atlas-selects" }, ...facets, layouts),
      make("p", { class: "atlas-source" }, `${have.title}: `, make("code", {}, have.code)),
    );
  }

  function wantSide({ have, want }, ask) {
    const change = (part) => ask({ have, want: { ...want, ...part } });
    const { elements, devices } = choices(have, want.kind);
    const isOwn = (name) => want.kind !== KIND.VALUE && bare(name) === bare(have.dtype);
    const noun = want.kind === KIND.VALUE ? "Class" : "Dtype";
    const dtypes = elements.map((name) => [name, isOwn(name) ? `${name}, as x` : name]);
    const targets = devices.length < 2 ? [] : [["", "any"], ...devices.map((name) => [name, name])];
    const kinds = kindsOf(have).map((kind) => [kind, data.kinds[kind][1]]);
    const memories = data.memories.map(([, words], index) => [index, words]);
    const memory = radios("memory", "Memory", memories, want.memory, (value) => change({ memory: value }));
    memory.hidden = want.kind === KIND.VALUE;
    return make(
      "fieldset",
      { class: "atlas-side-of-question" },
      make("legend", {}, "I want"),
      radios("kind", "Kind", kinds, want.kind, (kind) => change({ kind, element: "", device: "" })),
      memory,
      make(
        "div",
        { class: "atlas-selects" },
        select("element", noun, [["", "any"], ...dtypes], want.element, (element) => change({ element })),
        select("target", "Device", targets, want.device, (device) => change({ device })),
      ),
    );
  }

  // --- the answer ----------------------------------------------------------------------------------

  const CSS = { COPIES: "copies", SAME: "shares", SHARES: "shares", VALUE: "prints", NO_BYTES: "prints" };

  function outcomeNode(one) {
    const [name, words, sign] = data.outcomes[one.outcome];
    const css = CSS[name] ?? "raises";
    return make("span", { class: `atlas-verdict atlas-verdict-${css}` }, `${sign} ${words}`);
  }

  function resultWords(one) {
    const dtype = one.element === one.type ? "" : one.element;
    const parts = [one.type, dtype, one.shape && `shape ${one.shape}`, one.device];
    return parts.filter(Boolean).join(" · ");
  }

  function callNode(answer, have, address) {
    const { conversion, told: one } = answer.call;
    const href = `${address.replace("NAME", conversion.name)}#${have.name}`;
    const link = make("a", { href }, make("code", {}, conversion.title));
    const node = make("li", { class: "atlas-call", "data-conversion": conversion.name });
    node.append(make("p", { class: "atlas-call-head" }, link, outcomeNode(one)));
    const lines = [
      ["made", resultWords(one)],
      ["reasons", answer.reasons.length ? `Why here: ${answer.reasons.join(" · ")}` : ""],
      ["cautions", answer.cautions.length ? `Mind: ${answer.cautions.join(" · ")}` : ""],
      ["error", one.error],
      ...one.warnings.map((warning) => ["warning", warning]),
    ];
    const said = lines.filter(([, text]) => text);
    node.append(...said.map(([css, text]) => make("p", { class: `atlas-call-${css}` }, text)));
    return node;
  }

  const later = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));

  function folded(words, answers, node) {
    // What is folded in is made when there is time, or when it is opened: the answer itself must not wait for it.
    const list = make("ul", { class: "atlas-calls" });
    const fold = make("details", { class: "atlas-folded" });
    const fill = () => {
      if (list.childElementCount === 0) list.append(...answers.map(node));
    };
    fold.append(make("summary", {}, `${words} (${answers.length})`), list);
    fold.addEventListener("toggle", fill, { once: true });
    later(() => fold.isConnected && fill());
    return fold;
  }

  function sentence(words) {
    return words[0].toUpperCase() + words.slice(1);
  }

  function answerNodes(answers, have, address) {
    const node = (answer) => callNode(answer, have, address);
    const good = answers.filter(({ verdict }) => data.verdicts[verdict][2]);
    const bad = data.verdicts
      .map(([, words], verdict) => [words, answers.filter((answer) => answer.verdict === verdict)])
      .filter(([, members], verdict) => members.length && !data.verdicts[verdict][2]);
    const found = [make("ol", { class: "atlas-calls" }, ...good.slice(0, LISTED).map(node))];
    if (good.length > LISTED) found.push(folded("More calls that do it", good.slice(LISTED), node));
    if (bad.length) found.push(make("h2", {}, "Calls that do not do it"));
    found.push(...bad.map(([words, members]) => folded(sentence(words), members, node)));
    return found;
  }

  function environmentWords(id) {
    const known = (window.atlasEnvironments ?? []).find((environment) => environment.id === id);
    if (!known) return id;
    const python = known.usual ? "" : `, Python ${known.python}`;
    return `torch ${known.torch}, NumPy ${known.numpy}${python}, ${known.device}`;
  }

  function statusWords(answers, environment) {
    const good = answers.filter(({ verdict }) => data.verdicts[verdict][2]);
    const where = `with ${environmentWords(environment.id)}`;
    if (answers.length === 0) return `Not tried ${where}.`;
    if (answers.every(({ call }) => call.told.outcome === OUTCOME.NO_SOURCE)) {
      return `There is no such x ${where}: ${answers[0].call.told.error}`;
    }
    if (good.length === 0) return `None of ${answers.length} calls does it ${where}.`;
    const refuses = good[0].verdict === VERDICT.REFUSES ? " It would have to copy, so it raises, as asked." : "";
    const verb = good.length === 1 ? "does" : "do";
    const best = good[0].call.conversion.title;
    return `${good.length} of ${answers.length} calls ${verb} it ${where}. Best: ${best}.${refuses}`;
  }

  // --- all together ----------------------------------------------------------------------------------

  function start(place) {
    const linked = read(location.hash);
    let question = linked ?? settled(FIRST);
    let seen = linked?.seen;
    const form = make("form", { class: "atlas-question", "aria-label": "Choose a conversion" });
    const status = make("p", { class: "atlas-status", role: "status", "aria-live": "polite" });
    const notice = make("p", { class: "atlas-notice" });
    const results = make("div", { class: "atlas-results" });
    form.addEventListener("submit", (event) => event.preventDefault());

    function environment() {
      const id = document.documentElement.dataset.atlasEnvironment;
      return environments.find((one) => one.id === id) ?? environments[0];
    }

    function answer() {
      const here = environment();
      const answers = ranked(question.have, question.want, here);
      const text = statusWords(answers, here);
      if (status.textContent !== text) status.textContent = text;
      notice.textContent = noticeWords(here);
      notice.hidden = notice.textContent === "";
      results.replaceChildren(...answerNodes(answers, question.have, place.dataset.page));
    }

    function noticeWords(here) {
      const id = document.documentElement.dataset.atlasEnvironment;
      if (id && id !== here.id) return `The matrix was not tried with ${environmentWords(id)}.`;
      return seen && seen !== here.id ? `Whoever made this link saw the answer with ${environmentWords(seen)}.` : "";
    }

    function draw() {
      const focused = form.contains(document.activeElement) ? document.activeElement : null;
      const field = focused?.closest("[data-field]")?.dataset.field;
      form.replaceChildren(haveSide(question, ask), wantSide(question, ask));
      const again = field && form.querySelector(`select[data-field="${field}"], [data-field="${field}"] input:checked`);
      if (again) again.focus();
      answer();
    }

    function ask(wanted) {
      performance.mark("atlas-choice");
      question = settled(wanted);
      seen = undefined;
      draw();
      performance.measure("atlas-answer", "atlas-choice");
      history.replaceState(null, "", written(question, environment()));
    }

    place.replaceChildren(form, status, notice, results);
    draw();
    const watch = new MutationObserver(() => {
      // The picker has chosen; the address names the environment once there is a question in it.
      if (!seen && read(location.hash)) history.replaceState(null, "", written(question, environment()));
      answer();
    });
    watch.observe(document.documentElement, { attributeFilter: ["data-atlas-environment"] });
    window.addEventListener("hashchange", () => {
      const again = read(location.hash);
      if (again === null) return;
      question = again;
      seen = again.seen;
      draw();
    });
  }

  // For the test that compares this ranking with the reference.
  window.atlasChooser = {
    ask(name, kind, memory, element, device, environment) {
      const want = { kind: KIND[kind], memory: MEMORY[memory], element, device };
      const answers = ranked(
        sourceNamed(name),
        want,
        environments.find((one) => one.id === environment),
      );
      return answers.map(({ call, verdict, reasons, cautions }) => [
        call.conversion.name,
        data.verdicts[verdict][0],
        reasons,
        cautions,
      ]);
    },
  };

  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".atlas-chooser").forEach(start));
})();
