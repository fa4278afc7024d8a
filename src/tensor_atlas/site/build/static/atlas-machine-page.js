// The page "Your machine": reads a capture, checks it field by field, and lists where it differs from a record.
// Nothing leaves the browser, and whatever a capture holds is shown as text.
(() => {
  "use strict";

  const { make, loadScript, locateConversion } = window.atlasSite;
  const { placeOf, outcomeAt, readNumbers, readMappings } = window.atlasOutcomes;
  let store, done, within, NoAnswer, boxes; // of atlas-machine.js, which pages load after this script
  const SCHEMA = 1;
  const MOST_BYTES = 60 * 1024 * 1024;
  const SLOW = 10_000; // milliseconds after which the page says what it waits for
  const LONGEST_WRITE = 30_000; // a capture may be large
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
  const [APPEARED, VANISHED, CLASS, SHARING, VALUE, SOURCE, WARNING, WORDING] = SEVERITIES;

  // --- checking: each rule takes a value and where it stands, and refuses what it does not know ------

  class Refusal extends Error {}

  function refuse(at, what) {
    throw new Refusal(`${at || "The file"} ${what}`);
  }

  const text = (most = 300_000, form = null) => (value, at) => {
    if (typeof value !== "string" || value.length > most || (form && !form.test(value))) refuse(at, "is not an allowed text");
  };
  const oneOf = (words) => (value, at) => words.includes(value) || refuse(at, "has an unknown value");
  const whole = (value, at) => (Number.isSafeInteger(value) && value >= -(2 ** 40)) || refuse(at, "is not a whole number");
  const size = (value, at) => (Number.isSafeInteger(value) && value >= 0) || refuse(at, "is not a size");
  const seconds = (value, at) => (typeof value === "number" && value >= 0 && value < 1e7) || refuse(at, "is not a number of seconds");
  const flag = (value, at) => typeof value === "boolean" || refuse(at, "is neither true nor false");
  const maybe = (rule) => (value, at) => value === null || rule(value, at);
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
  const object = (needed, more = {}) => (value, at) => {
    if (!isObject(value)) refuse(at, "is not an object");
    for (const key of Object.keys(needed)) if (!Object.hasOwn(value, key)) refuse(at, `has no ${key}`);
    for (const [key, item] of Object.entries(value)) {
      const rule = Object.hasOwn(needed, key) ? needed[key] : Object.hasOwn(more, key) && more[key];
      if (!rule) refuse(at, "has an unknown field");
      rule(item, at ? `${at}.${key}` : key);
    }
  };

  const EXAMPLE = /^[A-Za-z0-9_]{1,80}\/[A-Za-z0-9_]{1,80}$/;
  const NAME = /^[a-z0-9][a-z0-9_.-]{0,99}$/i;
  const RELEASE = /^[0-9][A-Za-z0-9.+_-]{0,60}$/;
  const DAY = /^\d{4}-\d\d-\d\d$/;
  const DIGEST = /^[0-9a-f]{8,64}$/;
  const short = text(2_000);
  const warned = object({ category: short, message: text() });
  const raised = object({}, { type: short, message: text(), traceback: list(text(), 5_000), printed: text() });
  const observation = object(
    { code: text() },
    {
      stdout: text(), stderr: text(), warnings: list(warned, 2_000), caught: list(raised, 2_000), raised: maybe(raised),
      unmade: maybe(object({ name: short, statement: size })),
    },
  );
  const shape = maybe(list(whole, 100));
  const valueForm = object(
    { name: short, kind: short, dtype: short, shape },
    {
      strides: shape, device: short, writable: maybe(flag), requires_grad: maybe(flag),
      buffer: maybe(size), start: maybe(whole), stop: maybe(whole), held: flag,
    },
  );
  const snapshot = object(
    {},
    {
      values: list(valueForm, 5_000),
      buffers: list(object({ device: short, nbytes: size }), 5_000),
      shares: list(list(short, 5_000), 5_000),
      broken: flag,
      left_out: list(short, 5_000),
    },
  );
  const ENDS = ["completed", "raised", "exited", "crashed", "timed out", "not run"];
  const runForm = object(
    { example: text(200, EXAMPLE), digest: text(64, DIGEST), status: oneOf(ENDS) },
    { reason: text(), observations: list(observation, 2_000), snapshots: list(snapshot, 1_000), stopped: text(), depth: size, late: maybe(observation) },
  );
  const cell = object(
    { outcome: short },
    {
      proof: maybe(short), type: short, dtype: short, shape, strides: shape, device: short, writable: maybe(flag),
      requires_grad: maybe(flag), value: text(), writes: flag, warnings: list(warned, 2_000), error: maybe(raised),
    },
  );
  function checkCell(item, at) {
    if (!Array.isArray(item) || item.length !== 3) refuse(at, "is not a cell");
    size(item[0], at);
    text(64, DIGEST)(item[1], at);
    text(64, DIGEST)(item[2], at);
  }
  const environment = object(
    { torch: text(60, RELEASE), numpy: text(60, RELEASE), python: text(60, RELEASE), platform: text(100, NAME), device: text(200), date: text(10, DAY), device_count: size },
    { cuda: maybe(text(60)), driver: maybe(text(60)), engines: list(list(short, 2), 1_000) },
  );
  const capture = object(
    {
      schema: oneOf([SCHEMA]),
      environment: (value, at) => environment({ cuda: null, driver: null, ...value }, at),
      seconds: map(EXAMPLE, seconds, 10_000),
      dates: map(EXAMPLE, text(10, DAY), 10_000),
      matrix: object({ outcomes: list(cell, 200_000), cells: map(NAME, map(NAME, checkCell, 5_000), 5_000) }),
      runs: list(runForm, 10_000),
    },
    { shard: short, plan: short },
  );

  function check(content) {
    let parsed;
    try {
      parsed = JSON.parse(content);
    } catch {
      refuse("", "is not JSON");
    }
    if (isObject(parsed) && "schema" in parsed && parsed.schema !== SCHEMA) {
      refuse("", `has a schema that this site cannot read; it reads ${SCHEMA}`);
    }
    capture(parsed, "");
    const names = parsed.runs.map((one) => one.example);
    if (new Set(names).size !== names.length) refuse("runs", "name an example twice");
    for (const row of Object.values(parsed.matrix.cells)) {
      for (const [index] of Object.values(row)) {
        if (index >= parsed.matrix.outcomes.length) refuse("matrix.cells", "names an outcome that is not there");
      }
    }
    return parsed;
  }

  // --- comparing two runs of the same code: as history/changes.py does --------------------------------

  const filled = (seen) => ({ stdout: "", stderr: "", warnings: [], caught: [], raised: null, ...seen });
  const error = (one) => ({ type: "", message: "", printed: "", ...one });
  const exceptions = (seen) => [...seen.caught, ...(seen.raised ? [seen.raised] : [])].map(error);
  const equal = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  // As history/own_lines.py does: prose and comments move the lines of an example.
  const literal = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

  function ownLine(example) {
    const [chapter, stem] = example.split("/").map(literal);
    const script = `(?:(?:^|[^\\w.~-])${chapter}/|(?:^|[^\\w./~-]))${stem}\\.py`;
    return new RegExp(`(${script}(?:["']?, line(?:no)? |:|\\((?=\\d+\\))))\\d+(?!\\.?\\d)`, "g");
  }

  function withoutOwnLines(seen, example) {
    const own = ownLine(example);
    const hide = (key, field) => (typeof field === "string" && key !== "code" ? field.replace(own, "$1…") : field);
    return JSON.parse(JSON.stringify(seen), hide);
  }

  function splitStdout(seen) {
    const spans = [];
    let free = seen.stdout;
    for (const caught of seen.caught.map(error)) {
      const start = caught.printed ? free.indexOf(caught.printed) : -1;
      if (start < 0) continue;
      spans.push([start, caught]);
      const length = caught.printed.length;
      free = free.slice(0, start) + "\0".repeat(length) + free.slice(start + length);
    }
    const parts = [];
    let end = 0;
    for (const [start, caught] of spans.sort((one, other) => one[0] - other[0])) {
      parts.push([seen.stdout.slice(end, start), null], [caught.printed, caught]);
      end = start + caught.printed.length;
    }
    parts.push([seen.stdout.slice(end), null]);
    return parts;
  }

  const printed = (seen, replacement) =>
    splitStdout(seen)
      .map(([words, caught]) => (caught ? replacement(caught) : words))
      .join("");
  const firstLine = (words) => words.split("\n", 1)[0].trimEnd();
  const lines = (words) => (/[^\n]/.test(words) ? words.split("\n") : words.split("\n").slice(0, -1));

  function observedLines(seen) {
    return [
      ...lines(printed(seen, (caught) => `${caught.type}: ${caught.printed}`)),
      ...seen.warnings.map((one) => `${one.category}: ${one.message.trim().split(/\s+/).join(" ")}`),
      ...lines(seen.stderr).map((line) => `stderr: ${line}`),
      ...seen.caught.map(error).filter((one) => !one.printed).map((one) => `${one.type}: ${firstLine(one.message)}`),
      ...(seen.raised ? [`${error(seen.raised).type}: ${firstLine(error(seen.raised).message)} (uncaught)`] : []),
    ].map((line) => line.trimEnd());
  }

  function messageLines(seen) {
    const errors = exceptions(seen).map((one) => `${one.type}: ${one.message}`);
    return lines([...errors, ...seen.warnings.map((one) => `${one.category}: ${one.message}`)].join("\n"));
  }

  function withoutFrames(message) {
    const kept = [];
    let isQuoting = false;
    for (const line of message.split("\n")) {
      if (isQuoting && line.startsWith(" ")) continue;
      isQuoting = line.endsWith("Traceback (most recent call last):");
      kept.push(line);
    }
    return kept.join("\n");
  }

  const SCALAR =
    /\bnp\.((?:u?int|float|complex|c?longdouble|u?longlong|str_|bytes_)\d*)\((b?(['"]?)[^()'"]*\3)\)/g;
  const bare = (all, type, words) => (type.endsWith("longdouble") ? words.replace(/^'+|'+$/g, "") : words);
  const unwrapped = (words) =>
    words
      .replace(SCALAR, bare)
      .replace(/\bnp\.(True|False)_/g, "$1")
      .replace(/\bnumpy\.(?=(?:datetime|timedelta)64\()/g, "np.")
      .replace(/\(([-+\d.aefin]+j)\)/g, "$1");
  const scalarTypes = (words) => [...words.matchAll(SCALAR)].map((match) => match[1]);

  function differInNotation(before, after) {
    const [then, now] = [scalarTypes(before), scalarTypes(after)];
    return unwrapped(before) === unwrapped(after) && (equal(then, now) || !then.length || !now.length);
  }

  function withoutThose(some, others) {
    const rest = [...others];
    return some.filter((type) => {
      const place = rest.indexOf(type);
      if (place >= 0) rest.splice(place, 1);
      return place < 0;
    });
  }

  function rateErrors(before, after) {
    if ((before.raised === null) !== (after.raised === null)) return after.raised ? APPEARED : VANISHED;
    const [then, now] = [exceptions(before), exceptions(after)].map((all) => all.map((one) => one.type));
    const [gone, come] = [withoutThose(then, now), withoutThose(now, then)];
    if (gone.length && come.length) return CLASS;
    if (gone.length || come.length) return come.length ? APPEARED : VANISHED;
    const words = (seen) => exceptions(seen).map((one) => withoutFrames(one.message));
    return equal(words(before), words(after)) ? null : WORDING;
  }

  function rate(before, after) {
    const plain = (seen) => printed(seen, () => "").replace(/^\n+|\n+$/g, "");
    const found = [rateErrors(before, after)];
    if (plain(before) !== plain(after)) {
      found.push(differInNotation(plain(before), plain(after)) ? WORDING : VALUE);
    }
    const categories = (seen) => seen.warnings.map((one) => one.category);
    if (!equal(categories(before), categories(after))) found.push(WARNING);
    else if (!equal(before.warnings.map((one) => one.message), after.warnings.map((one) => one.message))) found.push(WORDING);
    if (before.stderr !== after.stderr) found.push(before.stderr && after.stderr ? WORDING : WARNING);
    return SEVERITIES.find((severity) => found.includes(severity)) ?? null;
  }

  const ABRUPT = new Set(["crashed", "exited", "timed out"]);

  function abruptEnd(run, index) {
    if (index !== run.observations.length - 1) return [];
    if (ABRUPT.has(run.status)) return [`${run.status}: ${run.reason ?? ""}`];
    return run.stopped ? [run.stopped] : [];
  }

  function rateEnds(then, now, ends) {
    if (equal(ends[0], ends[1])) return null;
    const was = Boolean(ends[0].length || then.raised);
    const is = Boolean(ends[1].length || now.raised);
    if (was && is) return VALUE;
    return is ? APPEARED : VANISHED;
  }

  const LATE = "9223372036854775807"; // as pages number the end of the script
  const AFTER = "# After the last statement:";

  // Of output behind the last statement that one of them lacks, its probe may not have looked for it.
  function pairObservations(before, after) {
    const count = Math.min(before.observations.length, after.observations.length);
    const pairs = before.observations.slice(0, count).map((seen, index) => [index, seen, after.observations[index]]);
    if (before.late && after.late) pairs.push([LATE, { ...before.late, code: AFTER }, { ...after.late, code: AFTER }]);
    return pairs;
  }

  function statementChanges(before, after, blockOf) {
    const found = [];
    for (const [index, ...pair] of pairObservations(before, after)) {
      let [then, now] = pair.map(filled);
      if (then.unmade || now.unmade || then.unobserved || now.unobserved) continue;
      if (!equal(then, now)) [then, now] = [then, now].map((seen) => withoutOwnLines(seen, after.example));
      const ends = [abruptEnd(before, index), abruptEnd(after, index)];
      const severity = rateEnds(then, now, ends) ?? rate(then, now);
      if (severity === null) continue;
      const isPrinted = !equal(observedLines(then), observedLines(now));
      const words = isPrinted ? observedLines : messageLines;
      found.push({
        severity, block: index === LATE ? blockOf.at(-1) : blockOf[index], statement: index, code: now.code,
        before: [...words(then), ...ends[0]], after: [...words(now), ...ends[1]], facts: [],
      });
    }
    return found;
  }

  const FIELDS = ["kind", "dtype", "shape", "strides", "device", "writable", "requires_grad"];
  const spelled = (field) => {
    if (field === null || field === undefined) return "None";
    if (Array.isArray(field)) return `(${field.join(", ")}${field.length === 1 ? "," : ""})`;
    return typeof field === "boolean" ? (field ? "True" : "False") : String(field);
  };

  // What only one of two probes looked for is left out.
  function snapshotFacts(before, after, withHeld) {
    const listed = (seen) => (seen.values ?? []).filter((one) => withHeld || !one.held);
    const [then, now] = [before, after].map((seen) => new Map(listed(seen).map((one) => [one.name, one])));
    const share = (seen, one, other) => (seen.shares ?? []).some((group) => group.includes(one) && group.includes(other));
    const both = [...then.keys()].filter((name) => now.has(name));
    const facts = [];
    both.forEach((one, index) => {
      for (const other of both.slice(index + 1)) {
        const [did, does] = [share(before, one, other), share(after, one, other)];
        if (did !== does) facts.push([SHARING, `${one}, ${other}: ${did ? "shares became copies" : "copies became shares"}`]);
      }
    });
    for (const name of both) {
      for (const field of FIELDS) {
        const [was, is] = [spelled(then.get(name)[field]), spelled(now.get(name)[field])];
        if (was !== is) facts.push([VALUE, `${name}: ${field} ${was} → ${is}`]);
      }
    }
    for (const [some, others, when] of [[then, now, "before"], [now, then, "after"]]) {
      for (const [name, one] of some) if (!others.has(name)) facts.push([VALUE, `${name}: ${one.kind} only ${when}`]);
    }
    return facts;
  }

  function blockChanges(before, after, end) {
    const withHeld = before.depth === after.depth;
    const known = new Set();
    const found = [];
    const count = Math.min(before.snapshots.length, after.snapshots.length, end);
    for (let index = 0; index < count; index += 1) {
      if (before.snapshots[index].broken || after.snapshots[index].broken) continue;
      const facts = snapshotFacts(before.snapshots[index], after.snapshots[index], withHeld).filter(([, fact]) => !known.has(fact));
      facts.forEach(([, fact]) => known.add(fact));
      for (const severity of [SHARING, VALUE]) {
        const own = facts.filter(([kind]) => kind === severity).map(([, fact]) => fact);
        if (own.length) found.push({ severity, block: index, statement: null, code: "", before: [], after: [], facts: own });
      }
    }
    return found;
  }

  function findChanges(before, after, blocks) {
    const blockOf = blocks.flatMap((count, block) => Array(count).fill(block));
    const inStatements = statementChanges(before, after, blockOf);
    const broken = inStatements.filter(({ severity }) => [APPEARED, VANISHED].includes(severity)).map(({ block }) => block);
    let rest = blockChanges(before, after, Math.min(blocks.length, ...broken));
    for (const change of inStatements) {
      const isOf = (other) => other.block === change.block && other.severity === change.severity;
      change.facts = rest.filter(isOf).flatMap((other) => other.facts);
      rest = rest.filter((other) => !isOf(other));
    }
    return [...inStatements, ...rest];
  }

  // --- a capture against the records ------------------------------------------------------------------

  const complete = (run) => ({ ...run, observations: run.observations ?? [], snapshots: run.snapshots ?? [], depth: run.depth ?? 1 });

  function recordedRun(entry, id) {
    const run = outcomeAt(entry.runs, placeOf(id));
    if (!run) return null;
    const [status, reason, digest, observations, snapshots, stopped, late, depth] = run;
    return {
      status, reason, digest, stopped, depth, late: late === null ? null : entry.observations[late],
      observations: observations.map((place, at) => Object.assign({}, entry.observations[place], { code: entry.code[at] })),
      snapshots: snapshots.map((place) => entry.snapshots[place]),
    };
  }

  const numbers = (release) => release.split(/[^0-9]+/).slice(0, 3).map(Number);
  const base = (release) => release.split("+")[0];

  function isOlder(one, other) {
    const [first, second] = [numbers(base(one)), numbers(base(other))];
    const place = first.findIndex((number, index) => number !== second[index]);
    return place >= 0 && first[place] < second[place];
  }

  // The record of the same torch; else of the nearest older one. Then what else is alike.
  function nearest(records, here) {
    const all = records.environments;
    const older = all.find((one) => one.fits && isOlder(one.torch, here.torch));
    const release = all.some((one) => one.torch === base(here.torch)) ? base(here.torch) : (older ?? all.at(-1)).torch;
    const rank = (one) =>
      16 * (one.kind === here.kind) + 8 * (one.kind === "cpu") + 4 * (one.numpy === here.numpy) + 2 * one.fits +
      (one.python === numbers(here.python).slice(0, 2).join("."));
    const alike = all.filter((one) => one.torch === release);
    return alike.reduce((best, one) => (rank(one) > rank(best) ? one : best));
  }

  const wordsOf = (one) => `torch ${one.torch}, NumPy ${one.numpy}, Python ${one.python}, ${one.device}`;

  function compare(records, given, against) {
    const entries = new Map();
    for (const run of given.runs.map(complete)) {
      const entry = records.examples[run.example];
      if (!entry || run.digest !== entry.digest) {
        entries.set(run.example, { changes: [], left: "this site has other code for it" });
        continue;
      }
      if (run.observations.some((seen, at) => seen.code !== entry.code[at]) || run.snapshots.length > entry.blocks.length) {
        refuse("runs", "contradict the code of an example");
      }
      if (run.status === "not run") {
        entries.set(run.example, { changes: [], reason: run.reason || "no reason is given" });
        continue;
      }
      const recorded = recordedRun(entry, against.id);
      if (!recorded || recorded.status === "not run" || recorded.digest !== run.digest) {
        const blockOf = entry.blocks.flatMap((count, block) => Array(count).fill(block));
        const changes = run.observations.map((seen, at) => ({
          severity: "not recorded", block: blockOf[at], statement: at, code: seen.code,
          before: [], after: [...observedLines(filled(seen)), ...abruptEnd(run, at)], facts: [],
        }));
        if (run.late) {
          const after = observedLines(filled(run.late));
          changes.push({ severity: "not recorded", block: blockOf.at(-1), statement: LATE, code: AFTER, before: [], after, facts: [] });
        }
        const alone = `there is no record of it with ${wordsOf(against)}`;
        entries.set(run.example, { changes: changes.filter(({ after }) => after.length), alone });
        continue;
      }
      entries.set(run.example, { changes: findChanges(recorded, run, entry.blocks) });
    }
    return entries;
  }

  // --- cells of the matrix: as history/cell_changes.py compares them ------------------------------------

  const DEADLY = ["crashes", "times out"];
  const FAILURES = [...DEADLY, "raises", "no source"];
  const LABELS = {
    type: "", dtype: "", device: "on", shape: "shape", strides: "strides", writable: "writable",
    requires_grad: "requires_grad", writes: "changes the source", value: "value",
  };
  const spellField = (one, key) => {
    const content = spelled(key === "writes" ? (one[key] ?? false) : one[key]);
    return content === "" || content === "None" ? "none" : content;
  };
  const outcomeWords = (one) => (one.error?.type ? `${one.outcome} (${one.error.type})` : one.outcome);
  const fieldWords = (one, keys) => keys.map((key) => `${LABELS[key]} ${spellField(one, key)}`.trim()).join(", ");
  const warningWords = (one) =>
    (one.warnings ?? []).map((w) => `${w.category}: ${w.message}`).join("; ") || "no warning";
  const errorWords = (one) => one.error?.message ?? (one.error ? "" : one.proof ? `known by ${one.proof}` : "");

  // As model/cells.py restores what a capture and a record leave out.
  function restored(one) {
    const hasElements = Boolean(one.shape);
    const isProved = ["shares memory", "copies"].includes(one.outcome);
    const isTensor = hasElements && (one.writable ?? null) === null;
    return {
      ...one,
      proof: one.proof ?? (isProved ? "write" : null),
      device: one.device || (hasElements ? "cpu" : ""),
      requires_grad: isTensor ? Boolean(one.requires_grad) : (one.requires_grad ?? null),
    };
  }

  function classify(then, now) {
    const words = [outcomeWords(then), outcomeWords(now)];
    if ((then.outcome === "no source") !== (now.outcome === "no source")) return [SOURCE, ...words];
    for (const failures of [FAILURES, DEADLY]) {
      const [did, does] = [failures.includes(then.outcome), failures.includes(now.outcome)];
      if (did !== does) return [did ? VANISHED : APPEARED, ...words];
    }
    if (then.outcome !== now.outcome) return [SHARING, ...words];
    const differing = Object.keys(LABELS).filter((key) => spellField(then, key) !== spellField(now, key));
    if (differing.length) return [VALUE, fieldWords(then, differing), fieldWords(now, differing)];
    if (then.error && now.error && then.error.type !== now.error.type) return [CLASS, ...words];
    const [was, is] = [then, now].map((one) => one.warnings ?? []);
    if (!equal(was.map((w) => w.category), is.map((w) => w.category))) return [WARNING, warningWords(then), warningWords(now)];
    if (!equal(was, is) && equal(then.error, now.error)) return [WORDING, warningWords(then), warningWords(now)];
    return [WORDING, errorWords(then), errorWords(now)];
  }

  const sorted = (item) =>
    isObject(item) ? Object.fromEntries(Object.keys(item).sort().map((key) => [key, sorted(item[key])])) : item;

  // Cells that changed alike, by severity and words; how many were compared, and how many have no record.
  function compareCells(records, given, against) {
    const { outcomes, sources, rows } = records.matrix;
    const byName = (pairs) => new Map(pairs.map(([name, digest], index) => [name, { digest, index }]));
    const [rowOf, columnOf] = [rows, sources].map(byName);
    const at = placeOf(against.id);
    const cells = readNumbers(records.matrix.cells);
    const mappings = readMappings(records.matrix.mappings);
    const keys = new Map();
    const keyOf = (one) => {
      if (!keys.has(one)) keys.set(one, JSON.stringify(sorted(one)));
      return keys.get(one);
    };
    const rules = new Map();
    const counts = { compared: 0, changed: 0, unknown: 0 };
    for (const [name, row] of Object.entries(given.matrix.cells)) {
      for (const [source, [place, ...digests]] of Object.entries(row)) {
        const [of, on] = [rowOf.get(name), columnOf.get(source)];
        const mapping = of && on && mappings[cells[of.index * sources.length + on.index]];
        const then = mapping && outcomes[outcomeAt(mapping, at)];
        if (!then || digests[0] !== of.digest || digests[1] !== on.digest) {
          counts.unknown += 1;
          continue;
        }
        counts.compared += 1;
        const now = given.matrix.outcomes[place];
        if (keyOf(then) === keyOf(now)) continue;
        counts.changed += 1;
        const change = classify(restored(then), restored(now));
        const key = JSON.stringify(change);
        if (!rules.has(key)) rules.set(key, { change, cells: [] });
        rules.get(key).cells.push([name, source]);
      }
    }
    return { counts, rules: [...rules.values()].sort((one, other) => other.cells.length - one.cells.length) };
  }

  // --- the page -----------------------------------------------------------------------------------------

  const root = document.documentElement.dataset.content_root ?? "./";

  async function load() {
    if (!window.atlasRecords) {
      await loadScript("atlas-records.js").catch(() => {
        throw new Refusal("The records of this site could not be loaded");
      });
    }
    return window.atlasRecords;
  }

  function link(records, name) {
    const anchor = make("a", {}, records.examples[name]?.title ?? name);
    if (records.examples[name]) anchor.href = `${root}gallery/${name}.html`;
    return anchor;
  }

  const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

  const MOST_NAMED = 20;

  function ruleItem(rule) {
    const [severity, before, after] = rule.change;
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

  function listChanges(records, entries, rules, where) {
    const parts = [];
    for (const severity of SEVERITIES) {
      const items = [];
      for (const [name, entry] of entries) {
        if (entry.alone) continue;
        for (const change of entry.changes.filter((one) => one.severity === severity)) {
          const item = make("li", { class: "atlas-machine-change" });
          item.dataset.example = name;
          item.dataset.statement = String(change.statement);
          item.append(link(records, name), ...boxes(change, where));
          if (change.code) item.firstChild.after(make("pre", { class: "atlas-code" }, change.code));
          items.push(item);
        }
      }
      items.push(...rules.filter((rule) => rule.change[0] === severity).map(ruleItem));
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

  function listNames(records, entries, field, css) {
    const groups = new Map();
    for (const [name, entry] of entries) {
      if (entry[field]) groups.set(entry[field], [...(groups.get(entry[field]) ?? []), name]);
    }
    return [...groups].map(([reason, names]) => {
      const fold = make("details", { class: `atlas-others ${css}` });
      const all = make("ul");
      for (const name of names) {
        const item = make("li");
        item.append(link(records, name));
        all.append(item);
      }
      fold.append(make("summary", {}, `${counted(names.length, "example")}: ${reason}`), all);
      return fold;
    });
  }

  function listFacts(given) {
    const table = make("table", { class: "atlas-machine-facts" });
    const rows = Object.entries({ cuda: null, driver: null, ...given.environment });
    rows.push(["examples", given.runs.length], ["cells of the matrix", countCells(given)]);
    for (const [name, content] of rows) {
      const row = make("tr");
      row.append(make("th", {}, name), make("td", {}, String(content ?? "none")));
      table.append(row);
    }
    return table;
  }

  const countCells = (given) => Object.values(given.matrix.cells).reduce((sum, row) => sum + Object.keys(row).length, 0);

  // Whoever leaves the page earlier undoes what was put.
  const written = ({ transaction }) =>
    within(
      new Promise((resolve, reject) => {
        transaction.addEventListener("complete", resolve);
        transaction.addEventListener("abort", () => reject(transaction.error));
      }),
      LONGEST_WRITE,
    );

  // By conversion: source, and what the record and the machine did.
  function rowsOf(rules) {
    const rows = new Map();
    for (const { change, cells } of rules) {
      for (const [name, source] of cells) rows.set(name, [...(rows.get(name) ?? []), [source, change[1], change[2]]]);
    }
    return rows;
  }

  async function keep(given, against, entries, rules, isChosen) {
    const kept = await store("readwrite");
    kept.clear();
    const about = { words: wordsOf(given.environment), nearest: against.id, nearestWords: wordsOf(against) };
    kept.put(about, "about");
    kept.put(given, "capture");
    for (const [name, entry] of entries) if (!entry.left) kept.put(entry, `example:${name}`);
    for (const [name, row] of rowsOf(rules)) kept.put(row, `row:${name}`);
    await written(kept);
    localStorage.setItem(FACTS, JSON.stringify({ nearest: about.nearest, words: about.words }));
    if (isChosen) localStorage.setItem(CHOSEN, "machine");
    window.dispatchEvent(new Event("atlas-machine-kept"));
  }

  async function forget() {
    const kept = await store("readwrite");
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
      "Still reading: the file or the records of this site have not arrived. If nothing follows within a minute, reload this page, copy the file to this computer and choose the copy.";
    let turn = 0; // of what the reader asked for last: whatever began before it shows nothing more

    async function showCapture(given, chosenId, isNew, isLast) {
      const records = await load();
      if (!isLast()) return;
      const [first] = given.environment.device.toLowerCase().split(" ");
      const kind = ["cpu", "mps", "xla", "vulkan"].includes(first) ? first : "cuda";
      const here = { ...given.environment, kind };
      const against = records.environments.find(({ id }) => id === chosenId) ?? nearest(records, here);
      const entries = compare(records, given, against);
      const cells = compareCells(records, given, against);
      const count = [...entries.values()].reduce((sum, entry) => sum + (entry.alone ? 0 : entry.changes.length), 0);
      const compared = [...entries.values()].filter((entry) => !entry.alone && !entry.left && !entry.reason).length;
      const select = make("select");
      for (const one of records.environments) {
        select.append(new Option(wordsOf(one), one.id, false, one === against));
      }
      select.addEventListener("change", () => guarded((stillLast) => showCapture(given, select.value, true, stillLast)));
      const choice = make("label", {}, "Compared with the record of ");
      choice.append(select);
      const remove = make("button", { class: "btn btn-sm atlas-machine-remove" }, "Remove this capture from the browser");
      remove.type = "button";
      remove.addEventListener("click", () =>
        guarded(async (stillLast) => {
          try {
            await forget();
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
      const where = `Recorded with ${wordsOf(against)}`;
      result.replaceChildren(
        choice, remove, fold,
        ...listChanges(records, entries, cells.rules, where),
        ...listNames(records, entries, "alone", "atlas-machine-alone"),
        ...listNames(records, entries, "reason", "atlas-machine-missing"),
        ...listNames(records, entries, "left", "atlas-machine-left"),
      );
      let note = `${wordsOf(given.environment)}: ${counted(count, "difference")} in ${counted(compared, "example")} that both ran.`;
      if (countCells(given)) {
        const { changed, compared: tried, unknown } = cells.counts;
        note += ` ${changed} of ${counted(tried, "cell")} of the matrix differ; ${unknown} have no record there.`;
      }
      try {
        await keep(given, against, entries, cells.rules, isNew);
      } catch {
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
        status.textContent = `Refused: ${words}. Choose a capture.json that atlas-probe.pyz of this site has written.`;
      } finally {
        clearTimeout(slow);
      }
    }

    async function take(file) {
      if (!file) return;
      status.textContent = "Reading …";
      await guarded(async (isLast) => {
        if (file.size > MOST_BYTES) refuse("", "is larger than 60 MB");
        await showCapture(check(await file.text()), "", true, isLast);
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
        const [given, about] = await Promise.all([done(kept.get("capture")), done(kept.get("about"))]);
        if (given && isLast()) await showCapture(given, about.nearest, false, isLast);
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
    ({ store, done, within, NoAnswer, boxes } = window.atlasMachine);
    document.querySelectorAll(".atlas-machine").forEach(startPage);
  });
})();
