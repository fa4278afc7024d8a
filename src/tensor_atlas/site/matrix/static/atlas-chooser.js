// Answers "I have this, I want that": the recommended calls that the records prove, in order, then all others.
// The only place where an answer is picked: from window.atlasMatrix, which site/matrix/conversion_chooser.py writes. The cells of
// a form, such as arrays, are in atlasMatrix.cells once its script has been loaded.
// It touches no document, so that tests run it without a browser. A classic script, for pages opened as files.
(() => {
  "use strict";

  const data = window.atlasMatrix;
  const { placeOf, outcomeAt, isIn, readNumbers, readMappings } = window.atlasOutcomes;
  const MEMORIES = [
    ["ANY", "do not care"],
    ["SHARE", "share memory"],
    ["COPY", "a copy"],
    ["STRICT", "fail rather than copy"],
  ];
  const FITS = [
    ["DOES", "Does it"],
    ["REFUSES", "Raises, as you asked, because it would have to copy"],
    ["COPIES", "Copies, although you asked to share"],
    ["SHARES", "Shares memory, although you asked for a copy"],
    ["SILENT", "Shares here, but may copy other inputs instead of raising"],
    ["EMPTY", "Returns something whose memory cannot be checked"],
    ["ELEMENT", "Returns a different dtype or class"],
    ["DEVICE", "Puts it on another device"],
    ["CHANGED", "Returns a different shape or different elements"],
    ["KIND", "Returns a different kind of object"],
    ["RAISES", "Raises"],
    ["UNRUN", "Not run on this combination"],
  ];
  const ORDER = FITS.map(([name]) => name);
  // Fits, the best first; the first two are answers.

  // --- the data ----------------------------------------------------------------------------------

  const KIND = Object.fromEntries(data.kinds.map(([name], index) => [name, index]));
  const OUTCOME = data.outcomes.map(([name]) => name);
  const FAILURES = new Set(["RAISES", "CRASHES", "TIMES_OUT", "NO_SOURCE"]);
  const plain = new Set(data.plain);

  const sources = data.sources.map((fields, index) => {
    const [name, title, form, code, dtype, layout, device, flags, traits, dtypes] = fields;
    return { index, name, title, form, code, dtype, layout, device, flags, traits: traits ?? null, dtypes: dtypes ?? [] };
  });
  const conversions = data.conversions.map(([name, title, group], index) => {
    return { index, name, title, group, kinds: data.groups[group][0] };
  });
  const preferences = data.preferences.map((entry) => {
    return { ...entry, only: new Set(entry.only), unless: new Set(entry.unless) };
  });

  const environments = data.environments.map((id) => ({ id, place: placeOf(id) }));

  function readSummary([outcome, kind, type, element, device, shape, flags, ...texts], words) {
    const [value, error, ...warnings] = texts.map((place) => words[place]);
    return {
      outcome: OUTCOME[outcome],
      kind,
      type: words[type],
      element: words[element],
      device: words[device],
      shape: words[shape],
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
  }

  const tables = new Map(); // by form, read when it is first asked for

  function tableOf(form) {
    if (!tables.has(form)) tables.set(form, readCells(data.cells[data.forms[form][0]]));
    return tables.get(form);
  }

  function readCells({ sources: members, summaries, words, mappings, cells }) {
    const columns = data.groups.map(([, tried]) => members.filter((source) => tried.includes(source)));
    const starts = [];
    let width = 0;
    for (const { group } of conversions) {
      starts.push(width);
      width += columns[group].length;
    }
    const places = columns.map((column) => new Map(column.map((source, place) => [source, place])));
    return {
      starts,
      places,
      summaries: summaries.map((fields) => readSummary(fields, words)),
      mappings: readMappings(mappings),
      cells: readNumbers(cells),
    };
  }

  function cell(form, environment, conversion, source) {
    const { starts, places, summaries, mappings, cells } = tableOf(form);
    const place = places[conversion.group].get(source.index);
    if (place === undefined) return undefined;
    return summaries[outcomeAt(mappings[cells[starts[conversion.index] + place]], environment.place)];
  }

  // --- what a reader has ---------------------------------------------------------------------------

  const bare = (dtype) => dtype.replace(/^torch\./, "");
  const isPlain = ({ traits }) => traits !== null && traits.every((trait) => trait < 0);
  const plainOf = (form, dtype) => sources.find((one) => one.form === form && one.dtype === dtype && isPlain(one));

  function describe(form, dtype, traits) {
    // What has this dtype and these traits (layout, flags, device): a source, or several that stand for it together.
    const matches = (one) => one.form === form && one.dtype === dtype && one.traits?.every((trait, axis) => trait === traits[axis]);
    const source = sources.find(matches);
    return source ? single(source) : combine(form, dtype, traits);
  }

  function single(source) {
    return { ...source, traits: source.traits ?? [-1, -1, -1], parts: [source] };
  }

  function combine(form, dtype, traits) {
    const members = traits.filter((trait) => trait >= 0).map((trait) => sources[trait]);
    const base = plainOf(form, dtype);
    const parts = base === undefined || members.every((one) => one.dtype === dtype) ? members : [base, ...members];
    return {
      name: parts.map(({ name }) => name).join(","),
      title: [base?.title ?? dtype, ...members.map(({ title }) => title)].join(" + "),
      form,
      dtype,
      device: members.find(({ device }) => device !== "cpu")?.device ?? "cpu",
      flags: [...new Set(members.flatMap(({ flags }) => flags))],
      traits,
      parts,
      code: "",
    };
  }

  function find(names) {
    // What an address names: a source, or the parts of a combination with commas between; null for unknown names.
    const named = names.split(",").map((name) => sources.find((one) => one.name === name));
    if (named.includes(undefined) || new Set(named.map(({ form }) => form)).size > 1) return null;
    if (named.length === 1) return single(named[0]);
    if (named.some(({ traits }) => traits === null)) return null;
    const traits = [0, 1, 2].map((axis) => Math.max(...named.map((one) => one.traits[axis])));
    const dtype = (named.find(isPlain) ?? named[0]).dtype;
    return traits.every((trait) => trait < 0 || accepts(sources[trait], dtype)) ? describe(named[0].form, dtype, traits) : null;
  }

  const accepts = (trait, dtype) => trait.dtypes.includes(dtype);

  function choose(base, trait, usual) {
    if (usual === undefined) return typeof base === "boolean" ? base || trait : base;
    return trait === usual ? base : trait;
  }

  const MERGED = ["kind", "type", "element", "device", "grad", "frozen", "writes", "otherShape", "otherValues"];
  const UNKNOWN = { outcome: "", warnings: [] };
  // What stands for the trait's dtype without the trait, where nobody has run that.

  function mergeOutcomes(base, trait, usual) {
    if (trait === usual) return base;
    return base === usual ? trait : (["NO_BYTES", "COPIES", "SHARES"].find((name) => base === name || trait === name) ?? base);
  }

  function mergeWarnings(base, trait, usual, outcome) {
    // A call that has copied because of the dtype warns no more of what the trait is about.
    const isBypassed = outcome === "COPIES" && trait.outcome === "SHARES" && usual.outcome === "SHARES";
    const own = isBypassed ? [] : trait.warnings.filter((warning) => !usual.warnings.includes(warning));
    const kept = base.warnings.filter((warning) => !usual.warnings.includes(warning) || trait.warnings.includes(warning));
    return [...new Set([...kept, ...own])];
  }

  function merge(base, trait, ordinary) {
    // What the cells of a dtype and of a trait say together; `ordinary` is the cell of the trait's own dtype without the trait:
    // what it does as well is not the trait's doing.
    const isFailed = (one) => FAILURES.has(one.outcome);
    const usual = ordinary ?? UNKNOWN;
    if (isFailed(base)) return isFailed(usual) && trait.error !== usual.error ? trait : base;
    if (isFailed(trait)) return isFailed(usual) ? base : trait;
    const other = isFailed(usual) ? UNKNOWN : usual;
    const outcome = mergeOutcomes(base.outcome, trait.outcome, other.outcome);
    const values = MERGED.map((key) => [key, choose(base[key], trait[key], other[key])]);
    return { ...base, ...Object.fromEntries(values), outcome, warnings: mergeWarnings(base, trait, other, outcome) };
  }

  function combined(result) {
    // Which elements and which shape nobody knows of a combination, nor the words of an error: these depend on what x holds.
    return { ...result, error: result.error.split(":")[0], shape: "", value: "", unseen: false };
  }

  function cellOf(environment, conversion, have, form = have.form) {
    const cells = have.parts.map((part) => cell(form, environment, conversion, part));
    if (cells.length === 1 || cells.includes(undefined)) return cells.includes(undefined) ? undefined : cells[0];
    const usualOf = (part) => {
      const usual = plainOf(form, part.dtype);
      return usual && cell(form, environment, conversion, usual);
    };
    return combined(cells.reduce((base, trait, place) => merge(base, trait, usualOf(have.parts[place]))));
  }

  // --- which combinations were run ----------------------------------------------------------------

  const UNRUN = {
    outcome: "UNRUN",
    kind: -1,
    type: "",
    element: "",
    device: "",
    shape: "",
    grad: false,
    frozen: false,
    writes: false,
    otherShape: false,
    otherValues: false,
    unseen: false,
    value: "",
    error: "",
    warnings: [],
  };
  const runs = new Map(); // by form, read when it is first asked for

  function runsOf(form) {
    if (!runs.has(form)) runs.set(form, readRuns(data.cells[data.forms[form][0]].combinations, form));
    return runs.get(form);
  }

  function readRuns({ calls, tried, rows }, form) {
    // Where each call was run on all combinations; for each layout, flag and dtype, where a run contradicts the answer
    // of which calls (null for all of them).
    const dtypes = [...new Set(sources.filter((source) => source.form === form).map(({ dtype }) => dtype))];
    const differing = new Map();
    for (const [layout, flag, places, members, pattern] of rows) {
      const titles = places && new Set(places.map((place) => calls[place]));
      for (const member of members) {
        const key = `${layout} ${flag} ${dtypes[member]}`;
        differing.set(key, [...(differing.get(key) ?? []), { titles, pattern }]);
      }
    }
    return { tried: new Map(calls.map((call, place) => [call, tried[place]])), differing };
  }

  function isTried({ place }, { form }, call) {
    const { tried } = runsOf(form);
    return tried.has(call) && isIn(tried.get(call), place);
  }

  function isAnswered(environment, have, call, isRecommended) {
    // Whether an answer may be combined from several cells: a run of it in this environment agreed. tests/combined_answers.py
    // runs them on the processor; of three things at once the recommended calls alone.
    const isOne = have.parts.length === 1;
    const [layout, flag, device] = isOne ? [have.index, -1, -1] : have.traits;
    if (device >= 0 || (have.parts.length > 2 && !isRecommended) || !isTried(environment, have, call)) return false;
    const differing = runsOf(have.form).differing.get(`${layout} ${flag} ${have.dtype}`) ?? [];
    return !differing.some(({ titles, pattern }) => (titles === null || titles.has(call)) && isIn(pattern, environment.place));
  }

  function findRun(environment, have, call, isRecommended) {
    // The environment whose run lets an answer be combined: this one, or the nearest of the list where this one ran nothing;
    // undefined for none.
    const isGood = (one) => isAnswered(one, have, call, isRecommended);
    if (isTried(environment, have, call)) return isGood(environment) ? environment : undefined;
    return nearest(environment, isGood);
  }

  // --- what a call does ----------------------------------------------------------------------------

  function fromCells(environment, entry, have) {
    // The cells of each step, in turn: the last says what comes out, any of them may copy.
    const steps = entry.steps.map(([place, source]) => {
      const there = source === -1 ? have : source === -2 ? plainOf(have.form, have.dtype) : sources[source];
      if (there === undefined) return null;
      const thing = there === have ? have : single(there);
      return { conversion: conversions[place], have: thing, result: cellOf(environment, conversions[place], thing, have.form) };
    });
    if (steps.some((step) => step === null || step.result === undefined)) return null;
    const failed = steps.find((step) => FAILURES.has(step.result.outcome));
    const copies = entry.copies + steps.filter((step) => step.result.outcome === "COPIES").length;
    const end = failed ? failed.result : steps.at(-1).result;
    const outcome = !failed && copies > 0 && end.outcome !== "VALUE" ? "COPIES" : end.outcome;
    const warnings = failed ? [] : [...new Set(steps.flatMap((step) => step.result.warnings))];
    const cells = steps.flatMap((step) => step.have.parts.map((source) => ({ conversion: step.conversion, source })));
    const isComposed = cells.some(({ source }) => source.name !== have.name);
    const result = { ...end, outcome, warnings };
    return { result: isComposed ? combined(result) : result, copies, cells, isComposed };
  }

  const NOTHING = { type: "", shape: "", grad: false, frozen: false, writes: false, otherShape: false, otherValues: false };

  function fromExample(environment, entry, have) {
    // What an example shows of the call in this environment; a rung where no run has shown it.
    const { answer: first, others, title, address } = entry.shown;
    const there = others.find(([, , ids]) => ids.includes(environment.id)) ?? first;
    const isElsewhere = there[0] === "ABSENT";
    const [means, words] = isElsewhere ? first : there;
    const outcome = means === "WORKS" || means === "UNKNOWN" ? (entry.copies ? "COPIES" : "SHARES") : means;
    const element = entry.gives || (entry.kind === KIND.TENSOR ? "torch." : "") + bare(have.dtype);
    const error = outcome === "RAISES" ? words : "";
    const result = { ...NOTHING, outcome, kind: entry.kind, element, device: entry.device, error, unseen: false, value: "", warnings: [] };
    const copies = outcome === "COPIES" ? Math.max(1, entry.copies) : 0;
    const isSeen = [first, ...others].some(([other]) => !["UNKNOWN", "ABSENT", "RAISES"].includes(other));
    const isRun = means !== "UNKNOWN" && !isElsewhere;
    const rung = isRun ? "" : means === "UNKNOWN" && !isSeen ? words : "recorded elsewhere";
    return { result, copies, cells: [], example: { title, address }, rung };
  }

  function recommended(environment, have, kind, device) {
    const holds = (names) => have.parts.some(({ index }) => names.has(index));
    const fits = ({ form, kind: gives, only, unless }) =>
      form === have.form && gives === kind && (only.size === 0 || holds(only)) && !holds(unless);
    const found = new Map();
    preferences.forEach((entry, place) => {
      if (!fits(entry) || found.has(entry.call)) return;
      const { call, url, strict } = entry;
      if (entry.device !== "cpu" && entry.device !== device) return;
      const prove = (there) => (entry.shown ? fromExample(there, entry, have) : fromCells(there, entry, have));
      const own = prove(environment);
      const proof = own ? proveHere(environment, have, call, own, prove) : proveOnDevice(environment, have, device, entry, prove);
      if (proof) found.set(call, { ...proof, call, url, strict, place, conversion: spelled(entry) });
    });
    return [...found.values()];
  }

  function proveHere(environment, have, call, own, prove) {
    return own.isComposed ? proveCombined(environment, have, call, true, own, prove) : own;
  }

  function proveOnDevice(environment, have, device, { steps }, prove) {
    // Where this environment lacks the device that is wanted: the nearest one whose run gave a result there. Of a combination,
    // a run of its first step has to agree as well.
    const there = device && nearest(environment, (one) => prove(one)?.result.device === device);
    if (!there) return null;
    const isRun = have.parts.length === 1 || findRun(environment, have, conversions[steps[0][0]].title, true);
    return isRun ? { ...prove(there), rung: "recorded elsewhere", seen: there } : null;
  }

  function nearest(environment, isGood) {
    // The environment of which this is true that is nearest in the list; undefined for none.
    const here = environments.indexOf(environment);
    const distance = (one) => Math.abs(environments.indexOf(one) - here);
    return environments.filter(isGood).sort((a, b) => distance(a) - distance(b))[0];
  }

  function proveCombined(environment, have, call, isRecommended, own, prove) {
    // A combined answer as a run bore it out, here or elsewhere; else that it was not run.
    const there = findRun(environment, have, call, isRecommended);
    if (there === environment) return own;
    const proof = there && prove(there);
    return proof ? { ...proof, rung: "recorded elsewhere", seen: there } : { ...own, result: UNRUN };
  }

  const spelled = ({ steps, copies }) => (steps.length === 1 && copies === 0 && steps[0][1] === -1 ? conversions[steps[0][0]] : null);

  function unlisted(environment, have, kind, taken, device) {
    return conversions.flatMap((conversion) => {
      if (!conversion.kinds.includes(kind) || taken.has(conversion.title)) return [];
      const cells = have.parts.map((source) => ({ conversion, source }));
      const isComposed = cells.length > 1;
      const prove = (there) => ({ result: cellOf(there, conversion, have), copies: 0, cells, isComposed });
      const own = prove(environment);
      if (own.result === undefined) {
        const there = !isComposed && device && nearest(environment, (one) => prove(one).result?.device === device);
        const seen = { rung: "recorded elsewhere", seen: there };
        return there ? [{ ...prove(there), ...seen, call: conversion.title, strict: false, place: Infinity, conversion }] : [];
      }
      const proof = isComposed ? proveCombined(environment, have, conversion.title, false, own, prove) : own;
      return [{ ...proof, call: conversion.title, strict: false, place: Infinity, conversion }];
    });
  }

  // --- the answer ------------------------------------------------------------------------------------

  const isLost = (result) => result.outcome === "NO_BYTES";
  const needsGrad = (have) => have.flags.includes("requires grad");
  const isKept = (have, result) => bare(result.element) === bare(have.dtype);
  const isUnlocked = (have, result) => have.flags.includes("read-only") && result.outcome === "SHARES" && !result.frozen;

  function fitOf(have, want, hasBytes, { result, strict }) {
    if (result.outcome === "UNRUN") return "UNRUN";
    if (FAILURES.has(result.outcome)) return want.memory === "STRICT" && strict && result.outcome === "RAISES" ? "REFUSES" : "RAISES";
    if (result.kind !== want.kind) return "KIND";
    if (want.device ? want.device !== result.device : isLost(result) && result.device !== have.device) return "DEVICE";
    if (want.element && want.element !== result.element) return "ELEMENT";
    if (result.otherShape || (result.otherValues && !want.element)) return "CHANGED";
    return want.kind === KIND.VALUE ? "DOES" : ofMemory(want.memory, result, strict, hasBytes);
  }

  function ofMemory(memory, result, strict, hasBytes) {
    if (memory === "ANY" || (isLost(result) && !hasBytes)) return "DOES";
    if (isLost(result)) return "EMPTY";
    if (memory === "COPY") return result.outcome === "COPIES" ? "DOES" : "SHARES";
    if (result.outcome === "COPIES") return "COPIES";
    return memory === "STRICT" && !strict ? "SILENT" : "DOES";
  }

  function keyOf(have, want, { result, fit, place }) {
    // Within a fit: what warns, writes or loses something unasked after what does not; then the order of the table.
    const isData = want.kind !== KIND.VALUE;
    const isSpoilt = result.warnings.length > 0 || result.writes || result.otherValues || isUnlocked(have, result) || (result.grad && !needsGrad(have));
    const moves = result.device !== have.device && have.device === "cpu";
    const others = isData && !want.element ? Number(moves) + Number(!isKept(have, result)) : 0;
    return [ORDER.indexOf(fit), isSpoilt, others, result.type !== "" && !plain.has(result.type), place].map(Number);
  }

  function before(some, second) {
    const at = some.findIndex((value, index) => value !== second[index]);
    return at < 0 ? 0 : some[at] - second[at];
  }

  function answer(environment, have, want) {
    // { best, more, rest }: recommended calls that do it, other calls that do it, and calls that do not.
    const first = recommended(environment, have, want.kind, want.device);
    const taken = new Set(first.map(({ call }) => call));
    const all = [...first, ...unlisted(environment, have, want.kind, taken, want.device)];
    const hasBytes = all.some(({ result }) => result.outcome === "SHARES" || result.outcome === "COPIES");
    for (const one of all) one.fit = fitOf(have, want, hasBytes, one);
    if (all.some(({ fit, place }) => fit === "DOES" && place < Infinity)) {
      // Where a recommended call shares, one that raises would not have to copy.
      all.filter(({ fit }) => fit === "REFUSES").forEach((one) => (one.fit = "RAISES"));
    }
    for (const one of all) one.key = keyOf(have, want, one);
    all.sort((a, b) => before(a.key, b.key));
    const isGood = ({ fit }) => fit === "DOES" || fit === "REFUSES";
    const loses = ({ key }) => key[2];
    const isNamed = (one) => one.place < Infinity && loses(one) <= loses(all[0]);
    // A recommended call that loses the dtype is named only where all of them do.
    return {
      best: all.filter((one) => isGood(one) && isNamed(one)),
      more: all.filter((one) => isGood(one) && !isNamed(one)),
      rest: all.filter((one) => !isGood(one)),
    };
  }

  const COUNTS = ["", "one copy", "two copies", "three copies"];

  function memoryWords(have, { result, copies, fit }) {
    if (fit === "REFUSES") return "raises, as you asked: it would have to copy";
    if (result.outcome === "SAME") return "returns x itself";
    if (result.outcome === "SHARES") return "shares memory";
    if (result.outcome === "COPIES") return COUNTS[copies] || "copies";
    return isLost(result) ? "no memory to compare" : "";
  }

  function costOf(have, want, found) {
    // What an answer costs, in words: memory, dtype, gradient, device.
    const { result, fit } = found;
    if (fit === "UNRUN") return [];
    if (FAILURES.has(result.outcome)) return fit === "REFUSES" ? [memoryWords(have, found)] : [];
    if (result.kind !== KIND.TENSOR && result.kind !== KIND.ARRAY) return [result.element].filter(Boolean).concat(needsGrad(have) ? ["gradient lost"] : []);
    const known = ["array", "tensor"].includes(data.forms[have.form][0]);
    const dtype = have.dtype && isKept(have, result) ? `dtype kept: ${result.element}` : known ? `dtype changed: ${bare(have.dtype)} to ${result.element}` : `dtype ${result.element}`;
    const gradient = needsGrad(have) ? (result.grad ? "gradient kept" : "gradient lost") : result.grad ? "records gradients" : "";
    const device = result.device === have.device ? `stays on ${result.device}` : `moves from ${have.device} to ${result.device}`;
    return [memoryWords(have, found), dtype, gradient, device].filter(Boolean);
  }

  function cautionsOf(have, { result }) {
    return [
      [result.writes, "changes x itself"],
      [result.otherValues, ["different elements", result.value].filter(Boolean).join(": ")],
      [result.otherShape, ["different shape", result.shape].filter(Boolean).join(": ")],
      [result.frozen, "NumPy forbids writing to it"],
      [isUnlocked(have, result), "can write to x, which is read-only"],
      [result.unseen && !isLost(result), "its elements were not recorded"],
    ]
      .filter(([holds]) => holds)
      .map(([, words]) => words);
  }

  // --- what can be asked -----------------------------------------------------------------------------

  function kindsOf(have) {
    const inTable = preferences.filter(({ form, only }) => form === have.form && only.size && have.parts.some(({ index }) => only.has(index)));
    const kinds = new Set([...data.forms[have.form][2], ...inTable.map(({ kind }) => kind)]);
    return [...kinds].sort();
  }

  const given = new Map();

  function choices(have, kind) {
    // Dtypes and devices that any environment has given, worked out once.
    const key = `${have.name} ${kind}`;
    if (!given.has(key)) given.set(key, listGiven(have, kind));
    return given.get(key);
  }

  function listGiven(have, kind) {
    const results = environments.flatMap((environment) =>
      conversions
        .filter(({ kinds, title }) => kinds.includes(kind) && (have.parts.length === 1 || isAnswered(environment, have, title, false)))
        .map((conversion) => cellOf(environment, conversion, have)),
    );
    const devices = [...new Set([...sources, ...preferences].map(({ device }) => device))];
    const shown = devices.flatMap((device) => recommended(environments[0], have, kind, device).map(({ result }) => result));
    const kept = [...results, ...shown].filter((one) => one !== undefined && one.kind === kind);
    const list = (key) => [...new Set(kept.map((one) => one[key]))].filter(Boolean).sort();
    return { elements: list("element"), devices: list("device") };
  }

  window.atlasChooser = {
    MEMORIES,
    FITS,
    KIND,
    FAILURES,
    sources,
    environments,
    isLoaded: (form) => data.forms[form][0] in data.cells,
    bare,
    isPlain,
    find,
    single,
    describe,
    accepts,
    kindsOf,
    choices,
    answer,
    costOf,
    cautionsOf,
  };
})();
