// Answers for a name that a module or an object lacks, or a keyword that a call does not know, from what recorded releases
// have: `atlas-name-facts.js` holds that, and is loaded for such a message alone. A classic script: browsers refuse modules on
// pages opened as files.
(() => {
  "use strict";

  const FORMS = [
    /(?<owner>[\w.]+)(?:\[\w+\])?'(?: object)? has no attribute '(?<name>\w+)'/,
    /cannot import name '(?<name>\w+)' from (?:partially initialized module )?'(?<owner>[\w.]+)'/,
    /`(?:(?<owner>np)\.)?(?<name>\w[\w.]*)` was removed (?:in the NumPy|from (?<of>the ndarray|scalar types))/,
    /(?<owner>numpy\.lib)\.(?<name>\w+) (?:submodule )?(?:is now private|was an alias)/,
  ];
  // A keyword that a call does not know; methods of Python classes have their class in front.
  const KEYWORD = /(?<path>[\w.]+)\(\) got an unexpected keyword argument '(?<name>\w+)'/;
  const OWNERS = { np: "numpy", "the ndarray": "numpy.ndarray", "scalar types": "numpy.generic", Tensor: "torch.Tensor" };
  const SCALAR = /^numpy\.(?:u?int|float|complex|bool|str|bytes|datetime|timedelta)[\d_]*$/;

  /** The name that the last error of a text is about: { owner, name }; undefined for any other text. */
  function read(text) {
    const { errors, plain } = window.atlasSearch.read(text);
    const said = (errors.at(-1)?.slice(1) ?? plain).join("\n");
    const found = FORMS.map((form) => form.exec(said)?.groups).find(Boolean);
    const path = found && `${OWNERS[found.owner ?? found.of] ?? found.owner?.replace(SCALAR, "numpy.generic")}.${found.name}`;
    const [, owner, name] = /^((?:numpy|torch)(?:\.\w+)*)\.(\w+)$/.exec(path) ?? [];
    return owner && { owner, name };
  }

  /** The keyword that the last error of a text is about: { call, name, library }; undefined for any other text. */
  function readKeyword(text) {
    const { errors, plain } = window.atlasSearch.read(text);
    const { path, name } = KEYWORD.exec((errors.at(-1)?.slice(1) ?? plain).join("\n"))?.groups ?? {};
    const call = path?.split(".").at(-1);
    const library = call && new RegExp(`\\b(np|numpy|torch)\\.(?:\\w+\\.)*${call}\\(`).exec(text)?.[1];
    return call && { call, name, library: library?.replace(/^np$/, "numpy") };
  }

  const load = async (text) =>
    (read(text) || readKeyword(text)) && !window.atlasNameFacts && window.atlasSite.loadScript("atlas-name-facts.js");

  const linesOf = (owner) => (window.atlasNameFacts.names[owner] ?? []).map(([fate, names]) => [fate, names.split(" ")]);

  /** What became of a name: { kind, words, message }; undefined where no recorded release has it. */
  function trace(owner, name) {
    const [fate] = linesOf(owner).find(([, names]) => names.includes(name)) ?? [];
    const spelled = name.replace("=", "");
    const [kind, words, message] = (window.atlasNameFacts.fates[fate] ?? []).map((one) => one.replaceAll("{name}", spelled));
    return kind && { kind, isChanged: kind !== "everywhere", words, message };
  }

  /** What to write instead of a name, and what else the records say of it, in sentences. */
  function advise(owner, name, fate, twin) {
    const { names, reviewed, roots, values } = window.atlasNameFacts;
    const [[root], { isNear }] = [owner.split("."), window.atlasSearch];
    const [write, note = ""] = reviewed[`${owner}.${name}`] ?? [];
    const quote = (of, word = name) => `\`${of.replace(/^numpy/, "np")}.${word}\``;
    const isThere = (of) => of !== owner && of.startsWith(root) && ["everywhere", "added"].includes(trace(of, name)?.kind);
    const places = write || twin || (fate && (!fate.isChanged || fate.message)) ? [] : Object.keys(names).filter(isThere);
    const known = fate || twin ? [] : linesOf(owner).flatMap(([, some]) => some);
    const near = [1, 2].flatMap((most) => known.filter((one) => name.length > 2 * most && isNear(name, one, most)));
    return [
      fate?.words ?? roots[root].nowhere.replace("{path}", quote(owner)),
      twin && `${quote(twin)} is a name of the other library.`,
      write && `Write \`${write}\`. ${note}`,
      twin && (write ? values[owner]?.replace(/^Convert/, "Or convert") : values[owner]),
      places.length > 0 && `There is ${places.slice(0, 2).map((of) => quote(of)).join(" and ")}.`,
      near.length > 0 && `Spelled alike: ${[...new Set(near)].slice(0, 3).map((one) => quote(owner, one)).join(", ")}.`,
      !twin && !fate?.isChanged && !(owner in values) && roots[root].shadowed,
    ].filter(Boolean).join(" ");
  }

  /** What the search finds, then the releases that know a keyword; they alone where no page has the message. */
  function findKeyword(text, result) {
    const { call, name, library } = readKeyword(text);
    const known = Object.keys(window.atlasNameFacts.names).filter((owner) => owner.endsWith(`.${call}`));
    const named = library ? known.filter((owner) => owner.startsWith(`${library}.`)) : known;
    const told = named.map((owner) => ({ owner, fate: trace(owner, `${name}=`) })).filter(({ fate }) => fate?.isChanged);
    const own = told.map(({ owner, fate }) => {
      const page = { page: "reference/names", title: `${owner}(${name}=)`, part: "Keyword", lead: fate.words };
      return { page, wording: null, lacks: [], anchor: `#${owner}.${name}=` };
    });
    if (own.length === 0) return result;
    const found = result.state === "none" ? [] : result.found;
    const isTheirs = new RegExp(`\\b${call}\\(\\).*\\b${name}\\b`).test(found[0]?.wording?.text);
    if (isTheirs) return { ...result, found: [found[0], ...own, ...found.slice(1)] };
    return { state: own.length === 1 && library ? "sure" : "maybe", found: [...own, ...found] };
  }

  const INSTALLED = /(?:site|dist)-packages[\\/](?!(?:numpy|torch)\b)([A-Za-z_]\w*)/g;

  /** What to do where an installed library uses a name that is gone: its code is not the reader's. */
  function adviseUpgrade(text, owner, fate) {
    const [, library] = [...text.matchAll(INSTALLED)].at(-1) ?? [];
    const whose = owner.startsWith("numpy") ? "NumPy" : "torch";
    return library && fate?.isChanged ? `The code is in \`${library}\`: upgrade that, or install another release of ${whose}. ` : "";
  }

  /** What the search finds, with the answer for a name first, or behind the error page of that very name. */
  function find(text) {
    const result = window.atlasSearch.find(text);
    if (readKeyword(text)) return findKeyword(text, result);
    const { owner, name } = read(text) ?? {};
    if (!owner || linesOf(owner).length === 0) return result;
    const [fate, other] = [trace(owner, name), window.atlasNameFacts.twins[owner]];
    const twin = !fate && trace(other, name) ? other : "";
    const lead = adviseUpgrade(text, owner, fate) + advise(owner, name, fate, twin);
    const page = { page: "reference/names", title: `${owner}.${name}`, part: "Name", lead };
    const isListed = fate?.isChanged || page.title in window.atlasNameFacts.reviewed;
    const part = twin ? "names-of-the-other-library" : "no-such-name";
    const wording = fate?.message ? { type: "", text: fate.message, where: "" } : null;
    const own = { page, wording, lacks: [], anchor: `#${isListed ? page.title : part}` };
    const [first, ...rest] = result.state === "none" ? [] : result.found;
    const isTheirs = result.state === "sure" || new RegExp(`\\b${name}\\b`).test(first?.wording?.text);
    // Where the result is used at once, as in array.unsqueeze(0).repeat(2), the page about the wrong type has the answer.
    const isChained = twin && new RegExp(`\\.${name}\\([^\\n]*\\)\\.\\w+\\(`).test(text);
    if (first?.page.part === "Error" && (isTheirs || isChained)) {
      return { state: isChained ? "maybe" : result.state, found: [first, own, ...rest] };
    }
    return { state: twin || fate?.isChanged ? "sure" : "maybe", found: [own, first, ...rest].filter(Boolean) };
  }

  window.atlasNames = { find, load };
})();
