// The page "Choose a conversion": asks what there is and what is wanted, keeps the question in the address, and shows
// what atlas-chooser.js answers. A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make, loadScript, locateConversion } = window.atlasSite;
  const data = window.atlasMatrix;
  const chooser = window.atlasChooser;
  const { KIND, MEMORIES, FITS, sources, environments } = chooser;
  const LISTED = 3;
  // Calls that are shown at once; the others are folded in.
  const AXES = [
    ["layout", "Layout", "contiguous"],
    ["flags", "Flags", "none"],
    ["device", "Device", "cpu"],
  ];
  // What an array or a tensor is besides its dtype, in the order of a source's traits.
  const ELSEWHERE = "recorded elsewhere";
  const RUNGS = {
    "executed on another accelerator": "Not run on such a device: a run on another accelerator shows it.",
    shipped: "Not run on such a device: a release of torch or NumPy contains the text of the message.",
    reported: "Not run on such a device: a public thread reports it.",
    expected: "Not run on such a device: expected from the documentation.",
    [ELSEWHERE]: "Not run in this environment: the result is from another release or machine.",
  };

  function rungWords({ rung, seen }) {
    if (seen) return `Not run in this environment: the result is from ${environmentWords(seen.id)}.`;
    return rung ? RUNGS[rung] : "";
  }

  // --- cells, loaded when a form is first asked for ------------------------------------------------

  const load = (form) => loadScript(data.scripts[data.forms[form][0]]);

  // --- the question, and its address ---------------------------------------------------------------

  const FIRST = {
    have: chooser.find("array-float32") ?? chooser.single(sources[0]),
    want: { kind: KIND.TENSOR, memory: "ANY", element: "", device: "" },
    seen: null,
  };

  function settle({ have, want }) {
    // A question that can be asked: what the source cannot give is wanted no more.
    const kinds = chooser.kindsOf(have);
    const kind = kinds.includes(want.kind) ? want.kind : kinds[0];
    const memory = kind === KIND.VALUE ? "ANY" : want.memory;
    const { elements, devices } = chooser.choices(have, kind);
    const keep = (value, values) => (values.includes(value) ? value : "");
    return { have, want: { kind, memory, element: keep(want.element, elements), device: keep(want.device, devices) } };
  }

  const ASKED = ["have", "want", "memory", "dtype", "device", "with"];

  function read(text) {
    // The question of an address, with what it asks for that there is not; null for an address without a question.
    const parts = new URLSearchParams(text.replace(/^[#?]/, ""));
    const isAnchor = text.startsWith("#") ? !text.includes("=") : !ASKED.some((key) => parts.has(key));
    if (isAnchor) return null;
    const has = {
      have: (names) => chooser.find(names) !== null,
      want: (name) => name in KIND,
      memory: (name) => MEMORIES.some(([known]) => known === name),
      dtype: () => true, // these two depend on the input
      device: () => true,
      with: (id) => environments.some((environment) => environment.id === id),
    };
    const missing = [...parts].filter(([key, value]) => !(Object.hasOwn(has, key) && has[key](value)));
    const known = new Map([...parts].filter((part) => !missing.some(([key]) => key === part[0])));
    const want = { kind: KIND[known.get("want")] ?? 0, memory: known.get("memory") ?? "ANY" };
    // Some write what the tensor shall be on in the place of what they want: want=cuda.
    const device = known.get("device") ?? (known.has("want") ? "" : (parts.get("want") ?? ""));
    const more = { element: known.get("dtype") ?? "", device };
    const have = known.has("have") ? chooser.find(known.get("have")) : FIRST.have;
    return { have, want: { ...want, ...more }, seen: known.get("with") ?? null, missing, asked: known };
  }

  const readAddress = () => read(location.hash) ?? read(location.search);

  function listMissing({ want, missing = [], asked = new Map() }, settled) {
    // What an address asks for and does not get: unknown words, and what this input never gives.
    const lost = [
      ["want", want.kind !== settled.want.kind],
      ["memory", want.memory !== settled.want.memory],
      ["dtype", want.element !== settled.want.element],
      ["device", want.device !== settled.want.device],
    ];
    const also = lost.filter(([key, isLost]) => isLost && asked.has(key)).map(([key]) => [key, asked.get(key)]);
    const isDevice = ([key, value]) => key === "want" && value === settled.want.device;
    return [...missing, ...also].filter((part) => !isDevice(part)).map(([key, value]) => `${key}=${value}`);
  }

  function write({ have, want }, environment) {
    const parts = [
      ["have", have.name],
      ["want", data.kinds[want.kind][0]],
      ["memory", want.memory],
      ["dtype", want.element],
      ["device", want.device],
      ["with", environment.id],
    ];
    return `#${new URLSearchParams(parts.filter(([, value]) => value))}`;
  }

  // --- the form ------------------------------------------------------------------------------------

  // In a narrow window a list takes the place of the options, so that the answer is in view below the form.
  const narrow = window.matchMedia("(max-width: 600px)");

  function options(name, legend, entries, current, choose) {
    const isList = narrow.matches;
    const find = (value) => entries.find(([known]) => String(known) === value)[0];
    return isList ? select(name, legend, entries, current, (value) => choose(find(value))) : radios(name, legend, entries, current, choose);
  }

  function radios(name, legend, entries, current, choose) {
    const labels = entries.map(([value, words]) => {
      const input = make("input", { type: "radio", name: `atlas-${name}`, value });
      input.checked = value === current;
      input.addEventListener("change", () => choose(value));
      return make("label", { class: "atlas-option" }, input, make("span", {}, words));
    });
    const choices = make("div", { class: "atlas-options" }, ...labels);
    return make("fieldset", { class: "atlas-field", "data-field": name }, make("legend", {}, legend), choices);
  }

  function select(name, words, entries, current, choose) {
    const element = make("select", { "data-field": name });
    element.append(...entries.map(([value, text]) => new Option(text, value, false, String(value) === String(current))));
    element.addEventListener("change", () => choose(element.value));
    const label = make("label", { class: "atlas-field" }, make("span", {}, words), element);
    label.hidden = entries.length < 2;
    return label;
  }

  const ofForm = (form) => sources.filter((source) => source.form === form);
  const isCombined = (have) => ofForm(have.form).some(({ traits }) => traits !== null);

  function haveSide({ have, want }, ask) {
    const change = (next) => ask({ have: next, want });
    const forms = data.forms.map(([name], index) => [index, name]);
    const first = (form) => chooser.find(`${data.forms[form][0]}-float32`) ?? chooser.single(ofForm(form)[0]);
    const selects = isCombined(have) ? traitSelects(have, change) : [plainSelect(have, change)];
    const code = have.code ? [": ", make("code", {}, have.code)] : [];
    return make(
      "fieldset",
      { class: "atlas-side-of-question" },
      make("legend", {}, "I have"),
      ...arrange([options("form", "Kind", forms, have.form, (form) => change(first(form)))], selects),
      make("p", { class: "atlas-source" }, have.title, ...code),
    );
  }

  // Lists side by side; options above them.
  function arrange(first, lists) {
    const row = (parts) => make("div", { class: "atlas-selects" }, ...parts);
    return narrow.matches ? [row([...first, ...lists])] : [...first, row(lists)];
  }

  function plainSelect(have, change) {
    const entries = ofForm(have.form).map(({ name, title }) => [name, title]);
    return select("source", "Which", entries, have.name, (name) => change(chooser.find(name)));
  }

  function traitSelects(have, change) {
    // The dtype, and each trait with every other; what the last choice excludes goes back to what is usual.
    const members = ofForm(have.form);
    const dtypes = [...new Set(members.filter(chooser.isPlain).map(({ dtype }) => dtype))];
    if (!dtypes.includes(have.dtype)) dtypes.push(have.dtype);
    const accepted = (dtype) => have.traits.map((trait) => (trait >= 0 && chooser.accepts(sources[trait], dtype) ? trait : -1));
    const chooseDtype = (dtype) => change(chooser.describe(have.form, dtype, accepted(dtype)));
    const found = [select("dtype", "Dtype", dtypes.map((dtype) => [dtype, dtype]), have.dtype, chooseDtype)];
    AXES.forEach(([name, words, usual], axis) => {
      const offered = members.filter(({ index, traits }) => traits[axis] === index);
      const entries = [[-1, usual], ...offered.map(({ index, title }) => [index, title])];
      found.push(select(name, words, entries, have.traits[axis], (value) => change(withTrait(have, axis, Number(value)))));
    });
    return found;
  }

  function withTrait(have, axis, trait) {
    const usual = ofForm(have.form).filter(chooser.isPlain).map(({ dtype }) => dtype);
    const own = trait < 0 && !usual.includes(have.dtype) ? usual.find((dtype) => dtype.endsWith("float32")) : have.dtype;
    const dtype = trait < 0 || chooser.accepts(sources[trait], own) ? own : sources[trait].dtype;
    const goes = (other) => other < 0 || chooser.accepts(sources[other], dtype);
    const traits = have.traits.map((other, place) => (place === axis ? trait : goes(other) ? other : -1));
    return chooser.describe(have.form, dtype, traits);
  }

  function wantSide({ have, want }, ask) {
    const change = (part) => ask({ have, want: { ...want, ...part } });
    const { elements, devices } = chooser.choices(have, want.kind);
    const isOwn = (name) => want.kind !== KIND.VALUE && chooser.bare(name) === chooser.bare(have.dtype);
    const dtypes = elements.map((name) => [name, isOwn(name) ? `${name}, as x` : name]);
    const targets = devices.length < 2 ? [] : [["", "any"], ...devices.map((name) => [name, name])];
    const kinds = chooser.kindsOf(have).map((kind) => [kind, data.kinds[kind][1]]);
    const memory = options("memory", "Memory", MEMORIES, want.memory, (value) => change({ memory: value }));
    memory.hidden = want.kind === KIND.VALUE;
    const kind = options("kind", "Kind", kinds, want.kind, (chosen) => change({ kind: chosen, element: "", device: "" }));
    const noun = want.kind === KIND.VALUE ? "Class" : "Dtype";
    return make(
      "fieldset",
      { class: "atlas-side-of-question" },
      make("legend", {}, "I want"),
      ...arrange(
        [...(kinds.length > 1 ? [kind] : []), memory],
        [
          select("element", noun, [["", "any"], ...dtypes], want.element, (element) => change({ element })),
          select("target", "Device", targets, want.device, (device) => change({ device })),
        ],
      ),
    );
  }

  // --- the answer ----------------------------------------------------------------------------------

  const CSS = { COPIES: "copies", SAME: "shares", SHARES: "shares", VALUE: "prints", NO_BYTES: "prints" };
  const WORDS = Object.fromEntries(data.outcomes.map(([name, words, sign]) => [name, `${sign} ${words}`]));

  function cellLink({ conversion, source }, content) {
    return make("a", { href: locateConversion(conversion.name, source.name) }, content);
  }

  function joined(nodes, separator) {
    return nodes.flatMap((node, index) => (index === 0 ? [node] : [separator, node]));
  }

  function proofNode(found) {
    // What bears an answer out: an example, a cell, or the cells that it is put together from.
    if (found.example) {
      const verb = found.rung && found.rung !== ELSEWHERE ? "Claimed" : "Shown";
      return [`${verb} in the example `, make("a", { href: found.example.address }, found.example.title), "."];
    }
    if (!found.isComposed) return ["Run: ", cellLink(found.cells[0], "this call on this input"), "."];
    const words = found.fit === "UNRUN" ? "Not run. The results of its parts: " : "Combined from: ";
    const links = found.cells.map((one) => cellLink(one, `${one.conversion.title} on ${one.source.title}`));
    return [words, ...joined(links, ", "), "."];
  }

  function callNode(found, { have, want }) {
    const { result } = found;
    const code = make("code", {}, found.call);
    const rung = found.rung === ELSEWHERE ? "" : found.rung; // a run gave it: the line below says where
    const unknown = found.fit === "UNRUN" ? "not run" : rung;
    const css = unknown ? "unknown" : (CSS[result.outcome] ?? "raises");
    const words = unknown ? `? ${unknown}` : WORDS[result.outcome];
    const verdict = make("span", { class: `atlas-verdict atlas-verdict-${css}` }, words);
    const node = make("li", { class: "atlas-call", "data-call": found.call }, make("p", { class: "atlas-call-head" }, code, verdict));
    const cost = chooser.costOf(have, want, found);
    const cautions = chooser.cautionsOf(have, found);
    const lines = [
      ["cost", cost.filter((each) => !words.endsWith(each)).join(" · ")],
      ["rung", rungWords(found)],
      ["cautions", cautions.length ? `Mind: ${cautions.join(" · ")}` : ""],
      ["error", result.error],
      ...result.warnings.map((warning) => ["warning", warning]),
    ];
    node.append(...lines.filter(([, text]) => text).map(([name, text]) => make("p", { class: `atlas-call-${name}` }, text)));
    const advice = found.url ? [" ", make("a", { href: found.url }, "Documentation of the function"), "."] : [];
    node.append(make("p", { class: "atlas-call-proof" }, ...proofNode(found), ...advice));
    return node;
  }

  const later = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));

  function fold(words, answers, node) {
    // What is folded in is made when there is time, or when it is opened: the answer itself must not wait for it.
    const list = make("ul", { class: "atlas-calls" });
    const details = make("details", { class: "atlas-folded" });
    const fill = () => {
      if (list.childElementCount === 0) list.append(...answers.map(node));
    };
    details.append(make("summary", {}, `${words} (${answers.length})`), list);
    details.addEventListener("toggle", fill, { once: true });
    later(() => details.isConnected && fill());
    return details;
  }

  function answerNodes({ best, more, rest }, question) {
    const node = (one) => callNode(one, question);
    const found = [make("ol", { class: "atlas-calls" }, ...best.slice(0, LISTED).map(node))];
    const others = [...best.slice(LISTED), ...more];
    if (others.length) found.push(fold("Other calls that do it", others, node));
    if (rest.length) found.push(make("h2", {}, "Calls that do something else"));
    for (const [name, words] of FITS) {
      const members = rest.filter(({ fit }) => fit === name);
      if (members.length) found.push(fold(words, members, node));
    }
    return found;
  }

  function environmentWords(id) {
    const known = (window.atlasEnvironments ?? []).find((environment) => environment.id === id);
    if (!known) return id;
    const python = known.usual ? "" : `, Python ${known.python}`;
    return `torch ${known.torch}, NumPy ${known.numpy}${python}, ${known.device}`;
  }

  function statusWords({ best, more, rest }, { have }, environment) {
    const where = `with ${environmentWords(environment.id)}`;
    const all = [...best, ...more, ...rest];
    if (all.length === 0) return `Not tried ${where}.`;
    if (all.every(({ result }) => result.outcome === "NO_SOURCE")) return `There is no such x ${where}: ${all[0].result.error}`;
    const unrun = rest.filter(({ fit }) => fit === "UNRUN").length;
    const others = unrun ? ` ${unrun} were not run on this combination.` : "";
    if (best.length + more.length === 0) return `None of the ${all.length - unrun} recorded calls does this ${where}.${others}`;
    if (best.length === 0) return `No recommended call does this ${where}. Other calls that do: ${more.length}.`;
    const refuses = best[0].fit === "REFUSES" ? " It would have to copy, so it raises, as you asked." : "";
    const agreed = best[0].seen ? "" : ", and a run of the combination agreed";
    const composed = have.parts.length > 1 ? ` The answer combines the results of its parts${agreed}.` : "";
    return `Call ${best[0].call} ${where}.${refuses}${composed} ${rungWords(best[0])}`.trim();
  }

  // --- all together ----------------------------------------------------------------------------------

  function start(place) {
    let question = null;
    let seen = null;
    let missing = [];
    const form = make("form", { class: "atlas-question", "aria-label": "Choose a conversion" });
    const status = make("p", { class: "atlas-status", role: "status", "aria-live": "polite" });
    const notice = make("p", { class: "atlas-notice" });
    const results = make("div", { class: "atlas-results" });
    form.addEventListener("submit", (event) => event.preventDefault());

    function environment() {
      const id = document.documentElement.dataset.atlasEnvironment;
      return environments.find((one) => one.id === id) ?? environments[0];
    }

    // The call stands out; with which releases, behind it.
    function say(text, here) {
      if (status.textContent === text) return;
      const where = ` with ${environmentWords(here.id)}`;
      const [before, ...after] = text.split(where);
      const parts = after.length ? [make("span", { class: "atlas-status-where" }, where), after.join(where)] : [];
      status.replaceChildren(make("strong", {}, before), ...parts);
    }

    function answer() {
      const here = environment();
      const answers = chooser.answer(here, question.have, question.want);
      const text = statusWords(answers, question, here);
      say(missing.length ? `Of what the lists say: ${text}` : text, here);
      status.classList.toggle("atlas-status-unsure", missing.length > 0);
      notice.textContent = noticeWords(here);
      notice.hidden = notice.textContent === "";
      results.replaceChildren(...answerNodes(answers, question));
    }

    function noticeWords(here) {
      const id = document.documentElement.dataset.atlasEnvironment;
      const words = [];
      if (missing.length) words.push(`The link asks for ${missing.join(", ")}, which this page does not know. Choose it in the lists below.`);
      if (id && id !== here.id) words.push(`The matrix was not run with ${environmentWords(id)}.`);
      else if (seen && seen !== here.id) words.push(`This link was made with the answer of ${environmentWords(seen)}.`);
      return words.join(" ");
    }

    function draw() {
      const focused = form.contains(document.activeElement) ? document.activeElement : null;
      const field = focused?.closest("[data-field]")?.dataset.field;
      form.replaceChildren(haveSide(question, ask), wantSide(question, ask));
      const again = field && form.querySelector(`select[data-field="${field}"], [data-field="${field}"] input:checked`);
      if (again) again.focus();
      answer();
    }

    let latest = null;

    function open(wanted, then = () => {}) {
      // Show the answer to a question, as soon as the cells of its form are there.
      latest = wanted;
      const show = () => {
        if (latest !== wanted) return;
        place.removeAttribute("aria-busy");
        question = settle(wanted);
        seen = wanted.seen;
        missing = listMissing(wanted, question);
        draw();
        then();
      };
      if (chooser.isLoaded(wanted.have.form)) return show();
      place.setAttribute("aria-busy", "true");
      load(wanted.have.form).then(show, () => {
        if (latest !== wanted) return;
        place.removeAttribute("aria-busy");
        if (question) draw();
        status.textContent = "The results for this kind of input could not be loaded. Choose it again to try again.";
      });
    }

    function ask(wanted) {
      performance.mark("atlas-choice");
      open({ have: wanted.have, want: wanted.want, seen: null }, () => {
        performance.measure("atlas-answer", "atlas-choice");
        history.replaceState(null, "", write(question, environment()));
      });
    }

    place.replaceChildren(notice, form, status, results);
    open(readAddress() ?? FIRST);
    const watch = new MutationObserver(() => {
      if (question === null) return;
      // The picker has chosen; the address names the environment once there is a question in it.
      if (!seen && missing.length === 0 && read(location.hash)) history.replaceState(null, "", write(question, environment()));
      answer();
    });
    watch.observe(document.documentElement, { attributeFilter: ["data-atlas-environment"] });
    narrow.addEventListener("change", () => question && draw());
    window.addEventListener("hashchange", () => {
      const again = readAddress();
      if (again !== null) open(again);
    });
  }

  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".atlas-chooser").forEach(start));
})();
