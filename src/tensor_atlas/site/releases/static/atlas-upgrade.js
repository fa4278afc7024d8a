// What changes from one environment to another, from the table of tensor_atlas/compare/upgrade.py.
// It follows tensor_atlas/compare/upgrade_report.py step by step; a test in a browser holds the two together.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make, loadScript } = window.atlasSite;
  const data = window.atlasUpgrade;
  const root = document.querySelector(".atlas-upgrade");
  if (!data || !root) return;
  const { places, titles, most } = data;
  const NONE = -1;
  const CALLS = 3;
  const LABELS = 3;
  const SHOWN = 10; // changes of a kind before the rest is folded
  const OPEN = 3; // of these, errors whose code is in view

  // --- the table: of the newest releases at first, of all when somebody asks for others ------------

  let table;
  let examples;
  let texts;

  function read(next) {
    const columns = next.examples;
    table = next;
    texts = next.texts;
    examples = (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]));
  }

  const numberOf = (name) => table.places.findIndex((place) => place[0] === name);
  let loading = null;

  function loadAll() {
    loading ??= loadScript(data.script).then(
      () => read(data.all),
      () => Promise.reject((loading = null)),
    );
    return loading;
  }

  /** What a function makes of the places of two environments in the table: at once where it has both. */
  async function withEnds(names, use) {
    if (names.some((name) => numberOf(name) < 0)) await loadAll();
    return use(...names.map(numberOf));
  }

  // --- what changes --------------------------------------------------------------------------------

  function stepsBetween(before, after) {
    const [start, goal] = [table.places[before][2], table.places[after][2]];
    const isBetween = (place) =>
      table.places[place][2].every((r, n) => Math.min(start[n], goal[n]) <= r && r <= Math.max(start[n], goal[n]));
    return table.steps
      .filter(([one, other]) => isBetween(one) && isBetween(other))
      .map(([one, other, part, label]) =>
        start[part] < goal[part] ? [one, other, part, label] : [other, one, part, label],
      );
  }

  function nameSteps(steps, isIt, isPart) {
    const whole = new Map();
    for (const [one, other, part, label] of steps) if (!whole.has(part) && isIt(one, other)) whole.set(part, label);
    const found = whole.size
      ? [...whole.values()]
      : steps.filter(([one, other]) => isPart(one, other)).map(([, , , label]) => label);
    return [...new Set(found)].slice(0, LABELS);
  }

  function selectChanges(before, after) {
    const steps = stepsBetween(before, after);
    const items = new Map();
    const total = { statements: 0, cells: 0 };

    function add(key, severity, rank, reason, labels) {
      if (!items.has(key)) items.set(key, { severity, rank, reason, labels: new Set(), rule: null, shown: [] });
      const item = items.get(key);
      item.severity = Math.min(item.severity, severity);
      item.rank = Math.min(item.rank, rank);
      for (const label of labels) item.labels.add(label);
      return item;
    }

    for (const [name, title, place, statements, changes, pairs] of examples) {
      const pattern = table.patterns[place];
      const count = Math.round(Math.sqrt(pairs.length));
      const number = (environment) => pattern.charCodeAt(environment) - 48;
      const pair = (one, other) =>
        number(one) < 0 || number(other) < 0 ? [] : pairs[number(one) * count + number(other)];
      for (const index of pair(before, after)) {
        const [severity, at, block, then, now, facts] = changes[index];
        const labels = nameSteps(
          steps,
          (one, other) => pair(one, other).includes(index),
          (one, other) => pair(one, other).some((n) => changes[n][1] === at && changes[n][2] === block),
        );
        let [code, rank, reason] = ["", most, NONE];
        if (at !== NONE) {
          const [own, setup, place_, reasons] = statements[at];
          code = [...setup, own].map((text) => texts[text]).join("\n");
          rank = place_;
          // A reason of both ends does not say why they differ.
          if (reasons[before] !== reasons[after]) {
            reason = reasons[before] === NONE ? reasons[after] : reasons[before];
          }
        }
        const item = add(reason !== NONE ? `reason ${reason}` : `example ${name}`, severity, rank, reason, labels);
        item.shown.push({ name, title, block, code, before: texts[then], after: texts[now], facts: texts[facts] });
        total.statements += 1;
      }
    }

    table.calls.forEach(([, , used, bundles], call) => {
      for (const [place, words, sources, messages] of bundles) {
        const pattern = table.patterns[place];
        const [i, j] = [pattern[before], pattern[after]];
        if (i === " " || j === " " || i === j) continue;
        const [first, second] = [i.charCodeAt(0) - 48, j.charCodeAt(0) - 48];
        const [low, high] = [Math.min(first, second), Math.max(first, second)];
        const word = words[(low * (2 * messages.length - low - 1)) / 2 + high - low - 1];
        let [severity, then, now] = table.words[word];
        if (first > second) {
          [then, now] = [now, then];
          severity = severity < 2 ? 1 - severity : severity;
        }
        const labels = nameSteps(
          steps,
          (one, other) => pattern[one] === i && pattern[other] === j,
          (one, other) => pattern[one] !== " " && pattern[other] !== " " && pattern[one] !== pattern[other],
        );
        const rank = used + (sources.every((source) => table.sources[source][3]) ? most : 0);
        const item = add(["words", severity, then, now, ...labels].join("|"), severity, rank, NONE, labels);
        const said = [texts[messages[first]], texts[messages[second]]];
        item.rule ??= { before: texts[then], after: texts[now], said: said[0], says: said[1], calls: new Map() };
        if (!item.rule.calls.has(call)) item.rule.calls.set(call, []);
        item.rule.calls.get(call).push(...sources);
        total.cells += sources.length;
      }
    });

    const found = [...items.values()];
    for (const item of found) item.isMinor = item.shown.length === 0 && item.rank >= most;
    found.sort((a, b) => a.severity - b.severity || a.isMinor - b.isMinor || a.rank - b.rank);
    return { items: found, ...total };
  }

  // --- in words ------------------------------------------------------------------------------------

  const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

  function summarize({ items, statements, cells }) {
    if (items.length === 0) return "The results recorded in both are the same.";
    return `${count(statements, "change")} in the examples; ${count(cells, "conversion")} of the matrix differ.`;
  }

  function sortCalls(rule) {
    const key = (call) => table.calls[call];
    return [...rule.calls.keys()].sort(
      (a, b) => key(a)[2] - key(b)[2] || key(a)[1].length - key(b)[1].length || a - b,
    );
  }

  function nameCalls(rule) {
    const sources = [...new Set([...rule.calls.values()].flat())];
    if (/^can(not)? be made$/.test(rule.before)) return sources.map((source) => table.sources[source][1]).join(", ");
    const calls = sortCalls(rule);
    let names = calls.slice(0, CALLS).map((call) => `\`${table.calls[call][1]}\``).join(", ");
    if (calls.length > CALLS) names += ` and ${count(calls.length - CALLS, "more call")}`;
    const kinds = sources.length === 1 ? table.sources[sources[0]][1] : `${sources.length} kinds of input`;
    return `${names} on ${kinds}`;
  }

  function describeItem(item) {
    // The release, the words, and where they are documented.
    const [text, link] = item.reason === NONE ? ["", ""] : table.reasons[item.reason];
    const rule = item.rule && `${nameCalls(item.rule)}: ${item.rule.before} → ${item.rule.after}`;
    const labels = table.steps.map((step) => step[3]).filter((label) => item.labels.has(label));
    const ordered = [...new Set(labels.reverse())].join(", "); // the oldest first
    return { labels: ordered, words: text || rule || item.shown[0].title, link };
  }

  const comment = (name, text) => `# ${name}${text}`.replaceAll("\n", "\n#   ").replaceAll("```", "` ` `");
  const commentSides = (before, after) => [comment("before: ", before), comment("after: ", after)];

  function chooseSample(item) {
    const shown = item.shown.find((one) => one.code);
    if (shown) {
      if (!shown.before && !shown.after) {
        return [shown.code, comment("", shown.facts && `after it, ${shown.facts}`)];
      }
      return [shown.code, ...commentSides(shown.before || "(nothing)", shown.after || "(nothing)")];
    }
    if (!item.rule) return [comment("after a block, ", item.shown[0].facts)];
    const { rule } = item;
    const call = sortCalls(rule)[0];
    const source = table.sources[rule.calls.get(call)[0]];
    return [texts[source[2]], table.calls[call][1], ...commentSides(rule.said || rule.before, rule.says || rule.after)];
  }

  const minorTitle = (number) => `${count(number, "change")} to rarely used calls or inputs`;
  const listNames = (item) => [...new Set(item.shown.map(({ name }) => name))];

  function explainPlaces(before, after) {
    return [before, after]
      .filter((place) => !table.places[place][3])
      .map((place) => `${table.places[place][1]} is an incompatible install: this torch was built for NumPy 1.`);
  }

  function groupItems(items) {
    return titles
      .map((title, severity) => [title, items.filter((item) => item.severity === severity)])
      .filter(([, members]) => members.length);
  }

  function renderMarkdown(before, after) {
    const found = selectChanges(before, after);
    const line = (item) => {
      const { labels, words, link } = describeItem(item);
      return `- ${labels && `**${labels}:** `}${words}${link && ` [Source](${link})`}`;
    };
    const [then, now] = [before, after].map((place) => table.places[place][1]);
    const parts = [`## What changes from ${then} to ${now}`, summarize(found), ...explainPlaces(before, after)];
    for (const [title, members] of groupItems(found.items)) {
      parts.push(`### ${title} (${members.length})`);
      for (const item of members.filter(({ isMinor }) => !isMinor)) {
        const code = chooseSample(item).join("\n").split("\n");
        const lines = [line(item), "", "  ```python", ...code.map((text) => `  ${text}`.trimEnd()), "  ```"];
        const names = listNames(item);
        if (names.length) lines.push("", `  Shown in ${names.map((name) => `\`${name}\``).join(", ")}.`);
        parts.push(lines.join("\n"));
      }
      const minor = members.filter(({ isMinor }) => isMinor).map(line);
      if (minor.length) {
        parts.push(`<details><summary>${minorTitle(minor.length)}</summary>`, minor.join("\n"), "</details>");
      }
    }
    return `${parts.join("\n\n")}\n`;
  }

  // --- the page ------------------------------------------------------------------------------------

  // Text with code between backticks.
  const spell = (text) => text.split("`").map((part, n) => (n % 2 ? make("code", {}, part) : part));

  function buildLine(item) {
    const { labels, words, link } = describeItem(item);
    const line = make("p", {});
    if (labels) line.append(make("span", { class: "atlas-upgrade-release" }, labels), " ");
    line.append(...spell(words));
    if (link) line.append(" ", make("a", { href: link }, "Source"));
    return line;
  }

  function buildItem(item, place) {
    const node = make("li", { class: "atlas-upgrade-item" }, buildLine(item));
    const code = make("pre", { tabindex: "0" }, make("code", {}, chooseSample(item).join("\n")));
    const links = new Map();
    for (const { name, title, block } of item.shown) {
      const address = `${root.dataset.example.replace("NAME", name)}#block-${block + 1}`;
      if (!links.has(name)) links.set(name, make("a", { href: address }, ...spell(title)));
    }
    if (item.rule) {
      for (const call of sortCalls(item.rule).slice(0, CALLS)) {
        const [name, title] = table.calls[call];
        links.set(title, make("a", { href: root.dataset.call.replace("NAME", name) }, make("code", {}, title)));
      }
    }
    const line = make("p", { class: "atlas-upgrade-more" }, "See ");
    [...links.values()].forEach((link, n) => line.append(n ? ", " : "", link));
    const fold = make("details", {}, make("summary", {}, "Code, before and after"), code, line);
    fold.open = item.severity === 0 && place < OPEN;
    node.append(fold);
    return node;
  }

  function buildSection([title, members]) {
    const id = title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
    const section = make("section", { "aria-labelledby": id });
    section.append(make("h2", { id }, title, " ", make("small", {}, String(members.length))));
    const isWording = members[0].severity === titles.length - 1;
    const items = members.filter(({ isMinor }) => !isMinor).map(buildItem);
    const shown = items.splice(0, isWording ? 0 : SHOWN);
    if (shown.length) section.append(make("ul", {}, ...shown));
    if (items.length) {
      const words = isWording ? "Messages before and after" : `${items.length} more, with code`;
      section.append(make("details", {}, make("summary", {}, words), make("ul", {}, ...items)));
    }
    const minor = members.filter(({ isMinor }) => isMinor);
    if (minor.length) {
      const lines = make("ul", {}, ...minor.map((item) => make("li", {}, buildLine(item))));
      section.append(make("details", {}, make("summary", {}, minorTitle(minor.length)), lines));
    }
    return section;
  }

  function buildSelect(label) {
    const id = `atlas-upgrade-${label.toLowerCase()}`;
    const select = make("select", { id });
    for (const [name, words, , isCompatible] of places.toReversed()) {
      select.append(make("option", { value: name }, words + (isCompatible ? "" : " (incompatible)")));
    }
    return [make("div", {}, make("label", { for: id }, label), select), select];
  }

  const [fromPart, from] = buildSelect("From");
  const [toPart, to] = buildSelect("To");
  const copy = make("button", { type: "button" }, "Copy as Markdown");
  const status = make("p", { class: "atlas-upgrade-sum", role: "status" });
  const missed = make("div", { role: "status" });
  const result = make("div");
  const ends = () => [from.value, to.value];

  function show() {
    const asked = ends();
    const isLatest = () => asked.join() === ends().join();
    function fail() {
      if (!isLatest()) return;
      status.textContent = "The changes between these two could not be loaded. Choose again to try again.";
      result.replaceChildren();
    }
    withEnds(asked, (before, after) => isLatest() && showChanges(before, after)).catch(fail);
  }

  function showChanges(before, after) {
    const found = selectChanges(before, after);
    const links = groupItems(found.items).map(([title, members]) => `${title}: ${members.length}`);
    const [then, now] = [before, after].map((place) => table.places[place][1]);
    status.dataset.asked = `From ${then} to ${now}`;
    status.replaceChildren(summarize(found), make("br"), links.join(" · "));
    const notes = explainPlaces(before, after).map((words) => make("p", { class: "atlas-notice" }, words));
    result.replaceChildren(...notes, ...groupItems(found.items).map(buildSection));
    copy.textContent = "Copy as Markdown";
  }

  const isCommon = ([name, , , fits]) => fits && name.endsWith("/cpu");
  // Whether two environments have the same releases but for one package: 0 torch, 1 NumPy, 2 Python.
  const isAlike = (one, other, part) => one[2].every((release, n) => n === part || release === other[2][n]);

  /** Environments that an address names: by their names, or both as torch-2.8 or numpy-1.26, in environments alike else. */
  function findEnds(names) {
    const exact = names.map((name) => places.find((place) => place[0] === name));
    const asked = names.map((name) => /^(torch|numpy)-(\d+\.\d+)/.exec(name ?? ""));
    if (!asked.every(Boolean) || asked[0][1] !== asked[1][1]) return exact;
    const part = asked[0][1] === "torch" ? 0 : 1;
    const fits = asked.map(([, , minor]) =>
      places.filter((place) => isCommon(place) && `${place[0].split("/")[part]}.`.startsWith(`${minor}.`)),
    );
    const goal = fits[1].findLast((place) => fits[0].some((other) => isAlike(place, other, part))) ?? fits[1].at(-1);
    return [fits[0].findLast((place) => goal && isAlike(place, goal, part)) ?? fits[0].at(-1), goal];
  }

  function readAddress() {
    const isQuestion = location.hash.includes("=") || !/[?&](from|to)=/.test(location.search);
    const parts = [...new URLSearchParams((isQuestion ? location.hash : location.search).slice(1))];
    const asked = new Map(parts.filter(([, value]) => value));
    const found = findEnds(["from", "to"].map((end) => asked.get(end)));
    [from, to].forEach((select, n) => {
      if (found[n]) select.value = found[n][0];
    });
    const missing = [...asked].filter(([end]) => !found[["from", "to"].indexOf(end)]);
    sayMissing(missing.map(([end, name]) => `${end}=${name}`));
    show();
  }

  function sayMissing(words) {
    const [then, now] = [from, to].map((select) => select.selectedOptions[0].textContent);
    const text = `The address asks for what is not recorded: ${words.join(", ")}. This page shows the changes from ${then} to ${now}.`;
    missed.replaceChildren(...(words.length ? [make("p", { class: "atlas-notice" }, text)] : []));
  }

  async function copyMarkdown() {
    const text = await withEnds(ends(), renderMarkdown);
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", {});
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    copy.textContent = "Copied";
  }

  for (const select of [from, to]) {
    select.addEventListener("change", () => {
      history.replaceState(null, "", `#from=${from.value}&to=${to.value}`);
      sayMissing([]);
      show();
    });
  }
  copy.addEventListener("click", copyMarkdown);
  window.addEventListener("hashchange", readAddress);
  // Until somebody chooses: the newest torch on the processor, and one some releases older with the same NumPy and Python.
  const newest = places.findLast(isCommon) ?? places.at(-1);
  const isOlder = (place) => isCommon(place) && place[2][0] < newest[2][0] - 6 && isAlike(place, newest, 0);
  to.value = newest[0];
  from.value = (places.findLast(isOlder) ?? places[0])[0];
  root.replaceChildren(make("div", { class: "atlas-upgrade-choice" }, fromPart, toPart, copy), missed, status, result);
  root.atlasMarkdown = (before, after) => withEnds([before, after], renderMarkdown);
  read(data.recent);
  readAddress();
})();
