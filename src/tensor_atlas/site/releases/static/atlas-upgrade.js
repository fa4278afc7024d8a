// What changes from one environment to another, from the table of tensor_atlas/compare/upgrade.py.
// It follows tensor_atlas/compare/upgrade_report.py step by step; a test in a browser holds the two together.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { make, loadScript, locateConversion } = window.atlasSite;
  const { readLetter } = window.atlasOutcomes;
  const data = window.atlasUpgrade;
  const root = document.querySelector(".atlas-upgrade");
  if (!data || !root) return;
  const { places, titles, most, met } = data;
  const NONE = -1;
  const CALLS = 3;
  const LABELS = 3;
  const SHOWN = 10; // changes of a kind before the rest is folded
  const OPEN = 3; // of these, errors whose code is in view

  // --- the table: of the newest releases at first, of all when somebody asks for others ------------

  let table = data.recent;
  let { texts } = table;

  const numberOf = (name) => table.places.findIndex((place) => place[0] === name);
  let loading = null;

  function loadAll() {
    loading ??= loadScript(data.script).then(
      () => ({ texts } = table = data.all),
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

  // How a row of the table changed between two places: both outcomes, and the number of what that is in words.
  function findChange([pattern, words], pair) {
    const [from, to] = pair.map((place) => readLetter(table.patterns[pattern], place));
    return words[from]?.[to] ? [from, to, words[from][to]] : null;
  }

  function listLegs(before, after) {
    const ends = [table.places[before], table.places[after]];
    const [start, goal] = ends.map((place) => place[2]);
    const isRecorded = ends.every((place) => place[4]);
    const isBetween = (r, n) => Math.min(start[n], goal[n]) <= r && r <= Math.max(start[n], goal[n]);
    const isOnTheWay = ([one, other, part]) =>
      [one, other].every((place) => table.places[place][2].every((r, n) => (!isRecorded && n !== part) || isBetween(r, n)));
    return table.steps.filter(isOnTheWay).map((step) => {
      const [one, other, part, label, seen] = step;
      const words = isRecorded ? label : `${label} (seen with ${seen})`;
      const pair = start[part] < goal[part] ? [one, other] : [other, one];
      return { place: table.steps.indexOf(step), part, label: words, pair };
    });
  }

  // Of each package the narrowest step that brings a change; else steps that bring parts of it.
  function nameSteps(legs, row, [i, j, word], isStatement) {
    const whole = new Map();
    const parts = [];
    for (const leg of legs) {
      const found = findChange(row, leg.pair);
      if (!found) continue;
      const [from, to, own] = found;
      // Outcomes of a statement differ by their reasons, too.
      const isWhole = (from === i && to === j) || (isStatement && own === word);
      if (isWhole && !whole.has(leg.part)) whole.set(leg.part, leg);
      parts.push(leg);
    }
    const labels = new Map();
    for (const { label, place } of whole.size ? whole.values() : parts) {
      if (!labels.has(label)) labels.set(label, place);
    }
    return [...labels].slice(0, LABELS);
  }

  function selectChanges(before, after) {
    const legs = listLegs(before, after);
    const isRecorded = [before, after].every((place) => table.places[place][4]);
    const unnamed = isRecorded ? [] : [[data.several, NONE]];
    const items = new Map();
    const placed = new Map(); // statements of examples that changed: the item and the number of the change in words
    const total = { statements: 0, cells: 0 };

    function add(key, severity, rank, reason, labels) {
      if (!items.has(key)) items.set(key, { severity, rank, reason, labels: new Map(), rule: null, shown: [] });
      const item = items.get(key);
      item.rank = Math.min(item.rank, rank);
      for (const [label, place] of labels) if (!item.labels.has(label)) item.labels.set(label, place);
      return item;
    }

    // What changed in a row of the table, in words; null for nothing that counts.
    function describeChange(row, isStatement) {
      const change = findChange(row, [before, after]);
      if (!change) return null;
      const [severity, ...sides] = table.words[change[2]];
      const labels = nameSteps(legs, row, change, isStatement);
      return { change, severity, sides: sides.map((side) => texts[side]), labels: labels.length ? labels : unnamed };
    }

    table.examples.forEach(([name, title, rows], example) => {
      rows.forEach((row, place) => {
        const found = describeChange(row, true);
        if (!found) return;
        const [, , block, own, setup, rank, reasons, , call] = row;
        const { labels } = found;
        const [then, now, facts] = found.sides;
        const code = [...setup, own].map((text) => texts[text]).join("\n");
        // A reason of both ends does not say why they differ.
        const [old, recent] = found.change.slice(0, 2).map((outcome) => reasons[outcome]);
        const reason = old === recent ? NONE : old === NONE ? recent : old;
        const key = reason !== NONE ? `reason ${reason}` : `example ${name}`;
        const word = found.change[2];
        const kind = findKind(word);
        const item = add(`${key} ${kind}`, kind, rank, reason, labels);
        const shown = { name, title, block, own: texts[own], code, call: texts[call], word, before: then, after: now, facts };
        item.shown.push(shown);
        placed.set(`${example} ${place}`, [item, word]);
        total.statements += 1;
      });
    });

    table.calls.forEach(([, , used, bundles], call) => {
      for (const row of bundles) {
        const found = describeChange(row, false);
        if (!found) continue;
        const [, , sources, messages] = row;
        const { severity, labels } = found;
        const [then, now] = found.sides;
        const rank = used + (sources.every((source) => table.sources[source][3]) ? most : 0);
        const key = ["words", severity, then, now, ...labels.map(([label]) => label)].join("|");
        const item = add(key, severity, rank, NONE, labels);
        const [said, says] = found.change.slice(0, 2).map((outcome) => texts[messages[outcome]]);
        item.rule ??= { before: then, after: now, said, says, calls: new Map() };
        if (!item.rule.calls.has(call)) item.rule.calls.set(call, []);
        item.rule.calls.get(call).push(...sources);
        total.cells += sources.length;
      }
    });

    const found = [...items.values()];
    for (const item of found) item.isMinor = item.shown.length === 0 && item.rank >= most;
    found.sort((a, b) => a.severity - b.severity || a.isMinor - b.isMinor || a.rank - b.rank);
    const first = listMet(before, after, placed);
    const rest = found.filter((item) => !first.some((one) => one.item === item));
    return { items: found, met: first, rest, isRecorded, ...total };
  }

  const listPackages = ({ labels }) => new Set([...labels.values()].filter((step) => step !== NONE).map((step) => table.steps[step][2]));

  function isUpgrade(before, after) {
    const [start, goal] = [before, after].map((place) => table.places[place][2]);
    return start[0] <= goal[0] && start[1] <= goal[1];
  }

  // What most programs meet in an upgrade, in the reviewed order; nothing on the way back.
  function listMet(before, after, placed) {
    const found = new Map();
    for (const [call, example, rows, todo] of isUpgrade(before, after) ? table.met : []) {
      const here = rows.map((row) => placed.get(`${example} ${row}`)).filter(Boolean);
      const told = here.find(([, word]) => met.behaviour[table.words[word][0]]);
      if (!told || found.has(told[0])) continue;
      found.set(told[0], { call, todo, item: told[0], packages: listPackages(told[0]), ...describeWord(told[1]) });
    }
    return putEachFirst([...found.values()]);
  }

  // Some of torch and some of NumPy among the first, in their order; then the others.
  function putEachFirst(all) {
    const certain = [0, 1].flatMap((part) => all.filter(({ packages }) => packages.has(part)).slice(0, met.each));
    const wanted = new Set([...new Set([...certain, ...all])].slice(0, met.most));
    return [true, false].flatMap((isFirst) => all.filter((one) => wanted.has(one) === isFirst));
  }

  const isError = new RegExp(`^(?:${met.error})`);

  // Under which kind a change is told: an error in the place of another raises a different class.
  function findKind(word) {
    const [severity] = table.words[word];
    const isOther = met.raising[severity] && Object.values(describeWord(word)).every((side) => isError.test(side));
    return isOther ? met.classes.indexOf(true) : severity;
  }

  // Of an output before and after the first line that the other side lacks; of the side that raises, an error.
  function describeWord(word) {
    const [severity, ...sides] = table.words[word];
    const [then, now] = sides.slice(0, 2).map((side) => texts[side].replaceAll(" (uncaught)", "").split("\n"));
    const findOwn = (some, others, side) => {
      const own = some.filter((line) => line && !others.includes(line));
      const error = met.raising[severity] === side ? own.find((line) => isError.test(line)) : undefined;
      return cutLine((error ?? own[0] ?? met.silent[severity]).replace(/\.$/, ""));
    };
    const lines = [findOwn(then, now, "before"), findOwn(now, then, "after")];
    const [old, recent] = met.classes[severity] ? lines.map((line) => line.split(":")[0]) : lines;
    return { before: old, after: recent };
  }

  // Cut between words where that leaves more than half of what there is room for.
  function cutLine(line) {
    const letters = [...line];
    if (letters.length <= met.side) return line;
    const end = letters.lastIndexOf(" ", met.side - 1);
    return `${letters.slice(0, end > Math.floor(met.side / 2) ? end : met.side).join("")} …`;
  }

  // --- in words ------------------------------------------------------------------------------------

  const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

  function summarize({ items, met: first, rest, isRecorded }) {
    if (items.length === 0) {
      return isRecorded ? "The results recorded in both are the same." : "No recorded step changes a result.";
    }
    const total = count(items.length, "change");
    if (first.length === 0) return `${total}.`;
    if (rest.length === 0) return `${total} that most programs meet.`;
    return `${total}: ${first.length} that most programs meet, ${count(rest.length, "other")}.`;
  }

  const countEvidence = ({ statements, cells }) =>
    `Recorded results that differ: ${count(statements, "output")} of the examples, ${count(cells, "conversion")} of one input each.`;

  // Of torch and of NumPy, that its releases changed none of the calls that most programs make.
  function nameUnmet(before, after, { items, met: first }) {
    if (items.length === 0) return [];
    const [then, now] = [before, after].map((place) => table.places[place]);
    const isUnmet = (part) => then[2][part] !== now[2][part] && !first.some(({ packages }) => packages.has(part));
    return [0, 1].filter((part) => isUpgrade(before, after) && isUnmet(part)).map((part) => {
      const [start, goal] = [then, now].map((place) => place[1].split(", ")[part]);
      return `${start} to ${goal.split(" ")[1]}: no change among the calls that most programs make.`;
    });
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
    // The release, the calls with what they did and do, then the reason and where it is documented.
    const [text, link] = readReason(item);
    const line = item.rule ? `${nameCalls(item.rule)}: ${item.rule.before} → ${item.rule.after}` : describeShown(chooseShown(item));
    return { labels: nameReleases(item), words: text ? `${line}. ${text}` : line, link };
  }

  const chooseShown = ({ shown }) => shown.find(({ own }) => own) ?? shown[0];

  function describeShown({ call, title, word, before, after, facts }) {
    const says = before || after ? spellSides(describeWord(word)) : facts.split("\n")[0];
    return `${call || title}: ${says}`;
  }

  function spellSides({ before, after }) {
    const spellSide = (side) => (met.silent.includes(side) ? side : `\`${side.replaceAll("`", "'")}\``);
    return `${spellSide(before)} → ${spellSide(after)}`;
  }

  const readReason = ({ reason }) => (reason === NONE ? ["", ""] : table.reasons[reason]);
  const nameReleases = ({ labels }) =>
    [...labels]
      .sort(([, one], [, other]) => other - one) // the oldest first
      .map(([label]) => label)
      .join(", ");
  const spellMet = (one) => `\`${one.call}\`: ${spellSides(one)}. ${one.todo}`;

  const comment = (name, text) => `# ${name}${text}`.replaceAll("\n", "\n#   ").replaceAll("```", "` ` `");
  const commentSides = (before, after) => [comment("before: ", before), comment("after: ", after)];

  function chooseSample(item) {
    const shown = item.shown.length ? chooseShown(item) : null;
    if (shown?.own) {
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
    return [before, after].flatMap((place) => {
      const [, label, , fits, isRecorded, isFar] = table.places[place];
      if (!fits) return [`${label} is an incompatible install: this torch was built for NumPy 1.`];
      return isRecorded ? [] : [`${label} ${data.composed[Number(isFar)]}`];
    });
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
    const addCode = (lines, item) => {
      const code = chooseSample(item).join("\n").split("\n");
      const names = listNames(item);
      const shown = names.length ? ["", `  Shown in ${names.map((name) => `\`${name}\``).join(", ")}.`] : [];
      return [...lines, "", "  ```python", ...code.map((text) => `  ${text}`.trimEnd()), "  ```", ...shown].join("\n");
    };
    const [then, now] = [before, after].map((place) => table.places[place][1]);
    const parts = [`## What changes from ${then} to ${now}`, summarize(found), ...explainPlaces(before, after)];
    if (found.met.length) parts.push(`### ${met.title} (${found.met.length})`);
    parts.push(...nameUnmet(before, after, found));
    for (const one of found.met) {
      const [labels, [text, link]] = [nameReleases(one.item), readReason(one.item)];
      const why = text ? ["", `  ${text}${link && ` [Source](${link})`}`] : [];
      parts.push(addCode([`- ${labels && `**${labels}:** `}${spellMet(one)}`, ...why], one.item));
    }
    for (const [title, members] of groupItems(found.rest)) {
      parts.push(`### ${title} (${members.length})`);
      parts.push(...members.filter(({ isMinor }) => !isMinor).map((item) => addCode([line(item)], item)));
      const minor = members.filter(({ isMinor }) => isMinor).map(line);
      if (minor.length) {
        parts.push(`<details><summary>${minorTitle(minor.length)}</summary>`, minor.join("\n"), "</details>");
      }
    }
    if (found.items.length) parts.push(countEvidence(found));
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
    const fold = buildFold("Code, before and after", item);
    fold.open = item.severity === 0 && place < OPEN;
    return make("li", { class: "atlas-upgrade-item" }, buildLine(item), fold);
  }

  // A call that most programs make: what changed, and what to do, a line each; why, behind it.
  function buildMet(one) {
    const [labels, [text, link]] = [nameReleases(one.item), readReason(one.item)];
    const line = make("p", {});
    if (labels) line.append(make("span", { class: "atlas-upgrade-release" }, labels), " ");
    line.append(make("strong", {}, make("code", {}, one.call)), ": ");
    const sides = make("span", { class: "atlas-upgrade-sides" }, ...spell(`${spellSides(one)}. `));
    line.append(sides, make("span", { class: "atlas-upgrade-todo" }, ...spell(one.todo)));
    const fold = buildFold("Why, with code", one.item);
    const why = make("p", {}, ...spell(text));
    if (link) why.append(" ", make("a", { href: link }, "Source"));
    if (text) fold.querySelector("summary").after(why);
    return make("li", { class: "atlas-upgrade-item" }, line, fold);
  }

  function buildFold(words, item) {
    const code = make("pre", { tabindex: "0" }, make("code", {}, chooseSample(item).join("\n")));
    const links = new Map();
    for (const { name, title, block } of item.shown) {
      const address = `${root.dataset.example.replace("NAME", name)}#block-${block + 1}`;
      if (!links.has(name)) links.set(name, make("a", { href: address }, ...spell(title)));
    }
    if (item.rule) {
      for (const call of sortCalls(item.rule).slice(0, CALLS)) {
        const [name, title] = table.calls[call];
        links.set(title, make("a", { href: locateConversion(name) }, make("code", {}, title)));
      }
    }
    const line = make("p", { class: "atlas-upgrade-more" }, "See ");
    [...links.values()].forEach((link, n) => line.append(n ? ", " : "", link));
    return make("details", {}, make("summary", {}, words), code, line);
  }

  // What most programs meet, then one fold with the rest; without the former, the rest in view.
  function buildSections(found, unmet) {
    const { met: first, rest } = found;
    const notes = unmet.map((words) => make("p", {}, words));
    const others = rest.length ? buildRest(found) : [];
    if (first.length === 0) return [...notes, ...others];
    const heading = make("h2", { id: "most-met" }, met.title, " ", make("small", {}, String(first.length)));
    const [shown, more] = [first.slice(0, met.most), first.slice(met.most)].map((list) => make("ul", {}, ...list.map(buildMet)));
    const section = make("section", { "aria-labelledby": "most-met", class: "atlas-upgrade-met" }, heading, ...notes, shown);
    if (more.children.length) {
      section.append(make("details", {}, make("summary", {}, `${more.children.length} more that most programs meet`), more));
    }
    if (rest.length === 0) return [section];
    const kinds = groupItems(rest).map(([title, members]) => `${title}: ${members.length}`).join(" · ");
    const words = [make("strong", {}, count(rest.length, "other change")), make("span", {}, kinds)];
    return [section, make("details", { class: "atlas-upgrade-rest" }, make("summary", {}, ...words), ...others)];
  }

  // All of them or those of one library, with links to each kind; what they were counted from comes last.
  function buildRest(found) {
    const list = make("div", {});
    const names = ["torch", "NumPy"];
    const members = names.map((_, part) => found.rest.filter((item) => listPackages(item).has(part)));
    const choices = [["All", found.rest], ...names.map((name, part) => [name, members[part]])];
    const fill = (items) => {
      const groups = groupItems(items);
      list.replaceChildren(buildKinds(groups), ...groups.map(buildSection));
    };
    fill(found.rest);
    const evidence = make("p", { class: "atlas-upgrade-evidence" }, countEvidence(found));
    if (members.some((items) => items.length === 0)) return [list, evidence];
    const filter = make("fieldset", { class: "atlas-upgrade-filter" }, make("legend", {}, "Changes of"));
    choices.forEach(([name, items], n) => {
      const radio = make("input", { type: "radio", name: "atlas-upgrade-library" });
      radio.checked = n === 0;
      radio.addEventListener("change", () => fill(items));
      filter.append(make("label", {}, radio, ` ${name} `, make("small", {}, String(items.length))));
    });
    return [filter, list, evidence];
  }

  const nameSection = (title) => title.toLowerCase().replaceAll(/[^a-z]+/g, "-");

  // The address names both ends: these links scroll without one.
  function buildKinds(groups) {
    const line = make("p", { class: "atlas-upgrade-kinds" });
    for (const [title, members] of groups) {
      const link = make("a", { href: `#${nameSection(title)}` }, `${title} (${members.length})`);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        const heading = document.getElementById(nameSection(title));
        heading.scrollIntoView();
        heading.focus({ preventScroll: true });
      });
      line.append(link, " ");
    }
    return line;
  }

  function buildSection([title, members]) {
    const id = nameSection(title);
    const section = make("section", { "aria-labelledby": id });
    section.append(make("h2", { id, tabindex: "-1" }, title, " ", make("small", {}, String(members.length))));
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

  // An end has two lists: of torch, with the device where it is none of the usual ones; of each NumPy that was recorded with it,
  // or is composed. The values of the second are the names of environments.
  function spellPlace([, label]) {
    const [torch, numpy, ...rest] = label.split(", ");
    const [python, device] = [true, false].map((isPython) => rest.filter((part) => part.startsWith("Python") === isPython));
    return { torch: [torch.slice(6), ...device].join(", "), numpy: [numpy.slice(6), ...python].join(", ") };
  }
  const offered = places
    .map((place) => ({ place, ...spellPlace(place) }))
    .sort(({ place: [, , one] }, { place: [, , other] }) => other[0] - one[0] || other[1] - one[1] || one[2] - other[2]);
  const torches = [...new Set(offered.map(({ torch }) => torch))].sort((one, other) => one.includes(", ") - other.includes(", "));

  function buildEnd(words) {
    const [torch, numpy] = ["torch", "NumPy"].map((library) => {
      const id = `atlas-upgrade-${words}-${library}`.toLowerCase();
      return { id, words: `${words} ${library}`, select: make("select", { id }) };
    });
    const [usual, others] = [false, true].map((isOther) => torches.filter((text) => text.includes(", ") === isOther));
    const offer = (labels) => labels.map((text) => make("option", {}, text));
    torch.select.append(...offer(usual));
    if (others.length) torch.select.append(make("optgroup", { label: "Other devices" }, ...offer(others)));
    const find = (name) => offered.find(({ place }) => place[0] === name);

    function fill() {
      const here = offered.filter((one) => one.torch === torch.select.value);
      const groups = [true, false].map((isRecorded) => here.filter(({ place }) => place[4] === isRecorded));
      const offerOne = (one) => make("option", { value: one.place[0] }, one.numpy + (one.place[3] ? "" : " (incompatible)"));
      const kinds = ["Recorded", "Composed of recorded steps"];
      const lists = groups.map((group, n) => group.length && make("optgroup", { label: kinds[n] }, ...group.map(offerOne)));
      numpy.select.replaceChildren(...lists.filter(Boolean));
      return here;
    }

    // Another torch keeps the NumPy, where it has been seen with it.
    torch.select.addEventListener("change", () => {
      const before = find(numpy.select.value)?.numpy;
      const here = fill();
      const next = here.find((one) => one.numpy === before) ?? here.find(({ place }) => isCommon(place)) ?? here[0];
      numpy.select.value = next.place[0];
    });
    const parts = [torch, numpy].map(({ id, words: label, select }) => make("div", {}, make("label", { for: id }, label), select));
    return {
      parts,
      selects: [torch.select, numpy.select],
      get value() {
        return numpy.select.value;
      },
      set value(name) {
        torch.select.value = find(name).torch;
        fill();
        numpy.select.value = name;
      },
    };
  }

  const isCommon = ([name, , , fits, isRecorded]) => fits && isRecorded && name.endsWith("/cpu");
  const from = buildEnd("From");
  const to = buildEnd("To");
  const copy = make("button", { type: "button" }, "Copy as Markdown");
  const status = make("p", { class: "atlas-upgrade-sum", role: "status" });
  const head = make("div", { class: "atlas-upgrade-head" }, status, copy);
  const missed = make("div", { role: "status" });
  const result = make("div");
  const ends = () => [from.value, to.value];

  function show() {
    const asked = ends();
    const isLatest = () => asked.join() === ends().join();
    function fail() {
      if (!isLatest()) return;
      copy.hidden = true;
      status.textContent = "The changes between these two could not be loaded. Choose again to try again.";
      result.replaceChildren();
    }
    withEnds(asked, (before, after) => isLatest() && showChanges(before, after)).catch(fail);
  }

  function showChanges(before, after) {
    const found = selectChanges(before, after);
    const [then, now] = [before, after].map((place) => table.places[place][1]);
    status.dataset.asked = `From ${then} to ${now}`;
    status.replaceChildren(summarize(found));
    copy.hidden = found.items.length === 0;
    const notes = explainPlaces(before, after).map((words) => make("p", { class: "atlas-notice" }, words));
    result.replaceChildren(...notes, ...buildSections(found, nameUnmet(before, after, found)));
    copy.textContent = "Copy as Markdown";
  }

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
    [from, to].forEach((end, n) => {
      if (found[n]) end.value = found[n][0];
    });
    const missing = [...asked].filter(([end]) => !found[["from", "to"].indexOf(end)]);
    sayMissing(missing.map(([end, name]) => `${end}=${name}`));
    if (missing.length || location.hash.length < 2) writeAddress();
    show();
  }

  const writeAddress = () => history.replaceState(null, "", `#from=${from.value}&to=${to.value}`);

  function sayMissing(words) {
    missed.replaceChildren();
    if (words.length === 0) return;
    const [then, now] = ends().map((name) => places.find((place) => place[0] === name)[1]);
    const text = `The address asked for what is not recorded: ${words.join(", ")}. This page shows the changes from ${then} to ${now}.`;
    missed.append(make("p", { class: "atlas-notice" }, text));
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

  for (const select of [from, to].flatMap((end) => end.selects)) {
    select.addEventListener("change", () => {
      writeAddress();
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
  root.replaceChildren(make("div", { class: "atlas-upgrade-choice" }, ...from.parts, ...to.parts), missed, head, result);
  root.atlasMarkdown = (before, after) => withEnds([before, after], renderMarkdown);
  readAddress();
})();
