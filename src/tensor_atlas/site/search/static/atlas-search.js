// Which pages answer a question, a name or a pasted error, and how sure that is. Loaded when the box is first used.
// All rules of the search stand here; atlas-index.js holds the data that they work on.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  // Weights, chosen on questions and errors that no rule was made for; a change of a tenth makes no difference.
  const WEIGHTS = {
    title: 8, // a word in the title or the name of a page: what it is about
    said: 4, // in its first paragraph, its headings, its tags or a question that it answers
    text: 1, // in its prose, its code or a message
    saturation: 3.5, // weighted occurrences at which a word counts half: a page is not about what it repeats
    length: 0.5, // how much a long field dilutes its words
    half: 0.5, // what stands beside the thing itself: a pair of words, a part of a name, the code around a message
    fits: 0.3, // what a page gains or loses for the way of a conversion, the names compared, its title, the types of a message
    line: 2, // what the line of a page that is nearest to a question adds: many words of one line mean more than some of each
    few: 5, // weight of words that makes such a line half as near, as one word in common is chance
    enough: 8, // the same for a message, whose words are common
    nearly: 0.9, // a message further up, or on a page that has another for its title
    shown: 0.65, // a message on a page that is about something else
    trace: 0.1, // what only decides between equals: the weaker of two ways to match, links to a page, a paste's library
  };
  const { title: TITLE, said: SAID, text: TEXT } = WEIGHTS;
  const FIELDS = { name: TITLE, title: TITLE, questions: SAID, headings: SAID, lead: SAID, tags: SAID, names: TEXT, messages: TEXT, prose: TEXT };
  const PRIOR = { Error: 1, Example: 1, Guide: 0.85, Reference: 0.6, Chapter: 0.5, Release: 0.5, Contributing: 0.4, Matrix: 0.3 };
  const SURE = {
    said: 0.62, // how much of a message must be there for "this is it"
    margin: 0.075, // and how much more than on any other page
    related: 0.3, // share of the types that makes a message a relative
    alike: 0.5, // share of the types that must agree
    titled: 0.5, // share of a title that a message must have
    named: 0.8, // share of a title that a whole paste must have, if another page is about its message too
    words: 0.5, // the same for a question: how much of it a page must answer
    ahead: 0.43, // and how far behind the second page must be
    faint: 0.29, // a message that resembles less is none
    scattered: 0.3, // a paste whose words are on a page less than this is about something else
    thin: 0.17, // the same for a question
    share: 0.55, // how much of a question's words, by what they tell, the page must have
  };
  const LIMITS = { lines: 120, joined: 3, words: 60, typed: 3, found: 8, least: 0.1 };

  // --- words ---------------------------------------------------------------------------------------

  const STOP = new Set(
    `
      a about after again all already also always am an and any are as at be been before being between both but by
      can could did do does doing done each either else ever every for from get gets getting give gives go
      goes got had has have having he hello help her here hi him his how however i if in into is it its
      itself just know let like made make makes making many may me means meant might more most much must my need needs
      never no nor not now of off on once one only onto or other our out over own please put really same
      say see seem seems shall she should so some something sometimes still such take than thank thanks
      that the their them then there these they thing this those though through thus to too try trying
      until up upon us use used uses using very via vs want wants was way we well were what when where
      whether which while who whole whose why will with within without would yes yet you your able don
      explain explains explanation mistake related regarding question problem issue understand wonder wondering
      fail fails failed failing doesn didn isn won cannot cant dont doesnt didnt isnt wont wouldnt nt etc ll ve re
    `
      .trim()
      .split(/\s+/),
  );
  // Words of one meaning, in this field; the first stands for all.
  const SAME = [
    "bfloat16 bf16", "float16 fp16 half", "float32 fp32", "float64 fp64 double", "opencv cv2", "pandas pd dataframe df",
    "byteorder endian", "cuda gpu", "gradient grad", "image img picture photo", "array ndarray", "numpy np", "pillow pil",
    "matplotlib plt pyplot", "torch pytorch", "scikit sklearn", "writable writeable", "grey gray grayscale greyscale",
    "color colour", "slow slower slowly fast fastest faster speed quick quickly", "memory ram vram", "memmap mmap",
    "segfault crash", "date datetime datetime64", "different differ difference mismatch", "axis axes dimension dim ndim",
    "process multiprocessing subprocess processes", "change modify update mutate alter affect overwrite write",
    "grow grows increase increases leak leaking leaks usage consume", "in_place inplace",
    "convert conversion converting turn transform", "share sharing", "move send transfer upload download", "copy copying",
    "concatenate concat", "multiply multiplication times product mul matmul", "large larger big bigger huge",
    "whole entire full", "byte bytes binary", "accuracy accurate precision precise rounding", "compatible compatibility",
    "float8 fp8", "longdouble float128", "h5py h5 hdf5", "audio sound wav waveform speech",
  ];
  const ENDINGS = `izations:iz ization:iz izable:iz ations:at ation:at ators:at ator:at ingly: edly: ies:y ied:y sses:ss ing: ed: ly: es: s: e:`
    .split(" ")
    .map((pair) => pair.split(":"));
  const stems = new Map();

  function cut(written) {
    const word = written.replace(/is(?=(?:e[ds]?|ing|ations?|able|ers?)$)/, "iz"); // normalise, normalize
    for (const [ending, rest] of ENDINGS) {
      if (!word.endsWith(ending) || word.length - ending.length + rest.length < 3 || word.endsWith("ss")) continue;
      const bare = word.slice(0, word.length - ending.length) + rest;
      const isDoubled =
        ["ing", "ed"].includes(ending) && bare.at(-1) === bare.at(-2) && !"aeiouls".includes(bare.at(-1));
      const short = isDoubled ? bare.slice(0, -1) : bare;
      return ending !== "e" && short.length > 3 && short.endsWith("e") ? short.slice(0, -1) : short;
    }
    return word;
  }

  const FAMILY = new Map();
  for (const family of SAME) {
    const [head, ...rest] = family.split(" ");
    for (const word of [head, ...rest]) {
      FAMILY.set(word, head);
      if (/^[a-z]{4,}$/.test(word)) FAMILY.set(cut(word), head);
    }
  }

  /** A word in the one spelling that all its forms share. */
  function spell(word) {
    let found = stems.get(word);
    if (found === undefined) {
      const bare = word.length < 4 || !/^[a-z]+$/.test(word) ? word : cut(word);
      found = FAMILY.get(bare) ?? FAMILY.get(word) ?? bare;
      stems.set(word, found);
    }
    return found;
  }

  /** Whether a word decides nothing in any of its forms: "says" as "say"; "ones" is a function. */
  const isStop = (word) => STOP.has(word) || (word !== "ones" && /^[a-z]{4,}$/.test(word) && STOP.has(cut(word)));

  const NAME = /[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*/gi;

  const split = new Map();

  /** Terms of one word: a name whole, with its parts, and the words it is made of. */
  function partsOf(raw) {
    if (/^[A-Z]\w*(?:Error|Exception|Warning)$/.test(raw)) return [raw.toLowerCase()];
    const names = raw.toLowerCase().split(".");
    const found = names.length > 1 ? [[FAMILY.get(names[0]) ?? names[0], ...names.slice(1)].join(".")] : [];
    for (const written of raw.split(".")) {
      const name = written.toLowerCase();
      // NumPy and PyTorch are words of the field, and no names in camel case.
      const pieces = FAMILY.has(name) ? [written] : written.split(/_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).filter(Boolean);
      if (pieces.length !== 1 || pieces[0] !== written) found.push(name);
      for (const piece of pieces) found.push(isStop(piece.toLowerCase()) ? "" : spell(piece.toLowerCase()));
    }
    return found;
  }

  const JOINED = /n['’]t\b/gi;

  /** Terms of each word of a text, in order. */
  function wordsOf(text) {
    return (text.replaceAll(JOINED, "nt").match(NAME) ?? []).map((raw) => {
      let parts = split.get(raw);
      if (parts === undefined) split.set(raw, (parts = partsOf(raw)));
      return parts;
    });
  }

  /** Terms of a text in order. */
  function terms(text) {
    const found = [];
    for (const parts of wordsOf(text)) for (const part of parts) found.push(part);
    return found;
  }

  // Dtypes by the names of torch's old classes of tensors, such as LongTensor.
  const LEGACY = {
    Byte: "uint8", Char: "int8", Short: "int16", Int: "int32", Long: "int64",
    Half: "float16", Float: "float32", Double: "float64",
  };
  const LEGACY_CLASS = /\b(?:torch\.)?(cuda\.)?(Byte|Char|Short|Int|Long|Half|Float|Double)Tensor\b(?!\()/g;

  // Beside a number of a release, to pin is to choose one.
  const OF_RELEASES = /\b(?:numpy|torch|pytorch)[ v=<>~]*\d/i;
  const PIN = /\b(?:pins?|pinned|pinning)\b(?![- ](?:memory|tensor|array|buffer|batch))/gi;

  /** Operators and phrases by the names that pages have for them. */
  const named = (text) =>
    (OF_RELEASES.test(text) ? text.replaceAll(PIN, "version") : text)
      .replaceAll(LEGACY_CLASS, (_, gpu, dtype) => `${gpu ? "cuda " : ""}${LEGACY[dtype]} tensor`)
      .replaceAll(/\bdifferences? between\b/gi, " ")
      .replaceAll(/\bhow long\b/gi, "slow")
      .replaceAll(/\b(?:0|zero)[- ]?d(?:im(?:ension(?:al|s)?)?)?\b/gi, "zero_d")
      .replaceAll(/\bnumpy values?\b/gi, "numpy")
      .replaceAll(/\bsame (?:memory|storage|buffer|data)\b/gi, "share memory")
      .replaceAll(/\b(?:without|no|zero)[- ](?:a |any )?cop(?:y|ies|ying)\b/gi, "share memory")
      .replaceAll(/\bnumpy[ v=<>~]*2(?:\.[0x](?:\.\d+)?)?(?![\w.]*\d)/gi, "numpy2")
      .replaceAll(/\bnumpy[ v=<>~]*1(?:\.[x\d]+(?:\.\d+)?)?(?![\w.]*\d)/gi, "numpy1")
      .replaceAll(/\bout of memory\b|\boom\b/gi, "out_of_memory")
      .replaceAll(/\brequires?[ _]grad(?:ient)?s?\b/gi, "requires_grad")
      .replaceAll(/\bn?hwc\b/gi, "channels_last layout")
      .replaceAll(/\bn?chw\b/gi, "channels_first layout")
      .replaceAll(/\bchannels?[- ](first|last)\b/gi, "channels_$1")
      .replaceAll(/\bin[- ]place\b/gi, "in_place")
      .replaceAll(/\b(\w+) = \1(?= [-+*/])/g, "$1 = rebind $1")
      .replaceAll(/(?<=[\w)\]]) \* (?=[\w([])/g, " times ")
      .replaceAll(/\bnon[- ]blocking\b/gi, "non_blocking")
      .replaceAll(/\bread[- ]?only\b|\bno[nt][- ]?writ(?:e?able)\b/gi, "read_only")
      .replaceAll(/\bmem(?:ory)?[- ]?map(?:ped|ping|s)?\b/gi, "memmap")
      .replaceAll(/\bseg(?:mentation)?[- ]?faults?\b|\bcore dumped\b/gi, "segfault")
      .replaceAll(/(?<=\s)(?:[-+*/|&^@]|\/\/|\*\*)=(?=\s|$)/g, " in_place ");
  /** Terms that tell one text from another. */
  const tell = (text) => terms(named(text)).filter((term) => term.length > 1);

  // --- the index -----------------------------------------------------------------------------------

  // Words of prose by page: of each word, how many pages lie between two that have it, the last digit as a small letter.
  const proses = window.atlasIndex.pages.map(() => []);
  const [vocabulary, steps] = window.atlasIndex.words.map((packed) => packed.split(" "));
  const valueOf = (letters) => [...letters].reduce((whole, letter) => 26 * whole + (letter.charCodeAt(0) % 32) - 1, 0);
  vocabulary.forEach((word, at) => {
    let place = -1;
    for (const letters of steps[at].match(/[A-Z]*[a-z]/g) ?? []) proses[(place += valueOf(letters) + 1)].push(word);
  });

  const pages = window.atlasIndex.pages.map(
    ([page, title, part, lead, headings, questions, tags, names, , fix, code, links, cases], place) => {
      const prose = proses[place].join(" ");
      return { page, title, part, lead, headings, questions, tags, names, prose, fix, code, links, cases };
    },
  );
  const wordings = window.atlasIndex.wordings.map(([place, type, text, where, isOwn]) => {
    return { place, type, text, where, isOwn: isOwn > 0 };
  });

  const messagesOf = pages.map(() => []);
  for (const wording of wordings) messagesOf[wording.place].push(`${wording.type} ${wording.text}`);
  const nameOf = (page) => (page.part === "Matrix" ? "" : page.page.slice(page.page.lastIndexOf("/") + 1));

  // Occurrences by term: a list of [page, field, count]; pairs of neighbours stand among the terms.
  const postings = new Map();
  const fields = Object.keys(FIELDS);
  const lengths = fields.map(() => new Float64Array(pages.length));
  pages.forEach((page, place) => {
    fields.forEach((field, at) => {
      const text = { name: nameOf(page), messages: messagesOf[place].join(" . ") }[field] ?? page[field];
      const found = tell(text);
      lengths[at][place] = found.length;
      const counts = new Map();
      found.forEach((term, index) => {
        counts.set(term, (counts.get(term) ?? 0) + (field === "names" ? 1 / (1 + index / 10) : 1));
        if (field === "prose" || index === 0) return;
        const pair = `${found[index - 1]} ${term}`;
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
      });
      for (const [term, count] of counts) {
        let list = postings.get(term);
        if (list === undefined) postings.set(term, (list = []));
        list.push(place, at, count);
      }
    });
  });
  const sum = (numbers) => numbers.reduce((whole, one) => whole + one, 0);
  const averages = lengths.map((all) => Math.max(1, sum(all) / Math.max(1, all.filter((one) => one > 0).length)));
  const isMatrix = pages.map((page) => page.part === "Matrix");
  const others = isMatrix.filter((one) => !one).length;

  const isTelling = fields.map((field) => !["names", "messages", "prose"].includes(field));
  const rarities = new Map();

  /**
   * How much a term tells: the more, the fewer pages are about it, or, if none is, have it in code or prose.
   * Pages of the matrix, which are all alike, do not count.
   */
  function rarity(term) {
    let found = rarities.get(term);
    if (found === undefined) {
      const list = postings.get(term) ?? [];
      const [telling, anywhere] = [new Set(), new Set()];
      for (let at = 0; at < list.length; at += 3) {
        if (isMatrix[list[at]]) continue;
        anywhere.add(list[at]);
        if (isTelling[list[at + 1]]) telling.add(list[at]);
      }
      const there = telling.size > 0 ? telling : anywhere;
      found = Math.log(1 + (others - there.size + 0.5) / (there.size + 0.5));
      rarities.set(term, found);
    }
    return found;
  }

  const UNKNOWN = Math.log(1 + (others + 0.5) / 0.5);

  // --- what a paste says ---------------------------------------------------------------------------

  const ENDS = "Error|Exception|Warning|Interrupt|Argument|Fail";
  const CLASS = new RegExp(
    `(?<![\\w.])((?:[A-Za-z_]\\w*\\.)*[A-Za-z_]\\w*(?:${ENDS}))\\b['"]?\\s*[:(]\\s*(?:['"](?![\\w.]+['"]))?\\s*(?=\\S)`, // the quote of a name is part of the message
  );
  const FRAME = /\bFile\s+["'~/]|^\s*\S+\.pyx?[:(]\d+|\.pyx? in \S+|\.py:\d+ in |line \d+, in /;
  const ARROW = /^\s*(?:-+>|>)\s*\d+ /; // at the line of a notebook that raises
  const NOISE = new RegExp(
    [
      "Traceback \\(most recent",
      "^\\s*(?:During handling|The above exception|Original Traceback)",
      "^[\\s~^*=_-]*$",
      ARROW.source,
      "^\\s*(?:Cell In|In)\\s*\\[",
    ].join("|"),
  );
  const MARK = /^\s*(?:E  +|>>> |\.\.\. |\d+ (?= )|\[[WE][^\]]*\](?: Warning:)? )/; // of pytest, a prompt, or a log
  const NUMBERED = /^\s*\d+\s/;
  const PATHS = /(?:site|dist)-packages[\\/]([A-Za-z_]\w*)|(?<![\w/\\.])([a-z_]\w*)[\\/][\w\\/]+\.pyx?\b/g;
  const ESCAPE = String.fromCharCode(27);
  const COLOURS = new RegExp(`${ESCAPE}?\\[\\d{1,3}(?:;\\d{1,3})*m|${ESCAPE}\\[[0-9;?]*[A-Za-z]`, "g");
  const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

  /** Text as people read it: no codes of terminals, no drawn boxes, no marks of other keyboards. */
  function clean(text) {
    return text
      .normalize("NFKC")
      .replaceAll(COLOURS, "")
      .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity])
      .replaceAll(/[\u2500-\u259f❱❯➜›]/g, " ")
      .replaceAll("。", ".")
      .replaceAll(/[“”]/g, '"')
      .replaceAll(/[‘’]/g, "'")
      .replaceAll("\\n", "\n")
      .replaceAll("\r", "")
      .replaceAll(/\s*\(Triggered internally at [^)]*\)/g, "");
  }

  const isRaised = (line) => /^\s*raise\b/.test(line.replace(NUMBERED, ""));

  /** Errors of a text in order, other lines, and the libraries that its frames name. */
  function read(text) {
    const errors = [];
    const plain = [];
    const code = [];
    const libraries = new Set();
    let inside = -1;
    const lines = clean(text).split("\n").slice(-LIMITS.lines);
    const isShort = lines.filter((line) => line.trim()).length === 1;
    let isOpen = false; // whether the last error may go on in the next line
    for (const line of lines) {
      const unmarked = line.replace(MARK, (mark) => (/^\s*(?:E|\[)/.test(mark) ? "" : " ".repeat(mark.length)));
      const depth = unmarked.length - unmarked.trimStart().length;
      for (const [, first, second] of unmarked.matchAll(PATHS)) libraries.add((first ?? second).toLowerCase());
      const error = CLASS.exec(unmarked);
      const isInside = inside >= 0 && depth > inside;
      if (FRAME.test(unmarked)) {
        inside = depth;
        isOpen = false;
        if (error) errors.push([error[1], unmarked.slice(error.index + error[0].length)]);
      } else if (error && !isRaised(unmarked) && !(isInside && error[0].includes("("))) {
        inside = -1;
        errors.push([error[1], unmarked.slice(error.index + error[0].length)]);
        isOpen = true;
        if (unmarked.slice(0, error.index).trim()) plain.push(unmarked.slice(0, error.index));
      } else if (!unmarked.trim() || (NOISE.test(unmarked) && !isShort)) {
        isOpen = isOpen && !unmarked.trim() && errors.at(-1).at(-1).endsWith(":"); // what a colon announces follows
      } else if (isInside || (NUMBERED.test(unmarked) && !isShort)) {
        code.push(unmarked.trim());
        isOpen = false;
      } else {
        inside = -1;
        if (isOpen) errors.at(-1).push(unmarked.trim());
        else plain.push(unmarked.trim());
      }
    }
    return { errors, plain, code, libraries };
  }

  // --- messages ------------------------------------------------------------------------------------

  const HEAD = /^(.{20,}?[.!?])(?:\s|$)/s;
  const IS_CLASS = /^\w*(?:error|exception|warning)$/;
  const ATTRIBUTE = /(?<=has no attribute )['"](?!__dlpack__)\w+['"]/;
  // Any class that pickle or DLPack refuses is as good as another, and so are those that a model of transformers returns.
  const REFUSED = /(?<=\bcan(?:not|['’]t) pickle )(['"])[\w.]+\1(?= object)|['"]?[\w.]+['"](?= object has no attribute ['"]__dlpack__)/;
  const OUTPUT = /\b[A-Z]\w*Output(?:With\w+)?\b/g;
  const generalize = (text) => text.replace(REFUSED, "").replaceAll(OUTPUT, "ModelOutput");
  const TYPE = new RegExp(
    `^(?:${[
      "u?int\\d*|float\\d*|complex\\d*|bfloat\\d*|bool\\d*|str\\d*|bytes\\d*|datetime\\d*|timedelta\\d*",
      "double|half|long|char|byte|short|u\\d+|void|object|scalar|none|nonetype",
      "list|tuple|dict|array|ndarray|[a-z.]*tensor|\\w+\\.\\w[\\w.]*",
    ].join("|")})_?$`,
  );

  /** Words of a message with what each counts, and pairs of neighbours; the second of two equal words is another one. */
  function features(written) {
    const text = generalize(written);
    const sentence = HEAD.exec(text);
    const head = sentence ? sentence[0] : text.replace(ATTRIBUTE, "");
    const tail = sentence ? text.slice(head.length) : (ATTRIBUTE.exec(text)?.[0] ?? "");
    const found = new Map();
    const add = (term, weight) => {
      let name = term;
      for (let count = 2; found.has(name); count += 1) name = `${term} ${count}`;
      found.set(name, weight);
    };
    const all = [
      [head, 1],
      [tail, WEIGHTS.half],
    ];
    for (const [part, weight] of all) {
      const words = tell(part);
      words.forEach((word, at) => {
        add(word, weight);
        if (at > 0) add(`${words[at - 1]} ${word}`, weight);
      });
    }
    return found;
  }

  /** Types that the first sentence of a message names. */
  function slots(text) {
    const [head] = HEAD.exec(text) ?? [text];
    const names = generalize(head).matchAll(/[A-Za-z_][\w.]*\w|\b[A-Z]\b/g);
    const isType = (name) =>
      !IS_CLASS.test(name.toLowerCase()) && (TYPE.test(name.toLowerCase()) || /[a-z][A-Z]/.test(name));
    const found = [...names].map(([name]) => name).filter(isType);
    return new Set(found.map((name) => name.toLowerCase().split(".").at(-1).replace(/_$/, "")));
  }

  // Around the error of a worker or a thread, which it says nothing of.
  const WRAPPER = /^Caught \w+ in [^\n]*\n?(?:\w+: )?/;
  const once = new Map();
  for (const { type, text } of wordings) {
    const whole = `${type} ${text}`;
    const bare = text.replace(WRAPPER, "");
    if (!once.has(whole)) once.set(whole, [features(`${type} ${bare}`), slots(bare)]);
  }
  const said = wordings.map(({ type, text }) => once.get(`${type} ${text}`)[0]);
  const saidSlots = wordings.map(({ type, text }) => once.get(`${type} ${text}`)[1]);
  const frequency = new Map();
  for (const one of said) for (const name of one.keys()) frequency.set(name, (frequency.get(name) ?? 0) + 1);
  const weightOf = (name) => Math.log(1 + said.length / frequency.get(name));
  const wholes = said.map((one) => [...one].reduce((whole, [name, weight]) => whole + weight * weightOf(name), 0));
  const heads = said.map((one) =>
    [...one].reduce((whole, [name, weight]) => whole + (weight === 1 ? weightOf(name) : 0), 0),
  );
  const heard = new Map();
  said.forEach((one, place) => {
    for (const [name, weight] of one) {
      if (!heard.has(name)) heard.set(name, []);
      heard.get(name).push([place, weight]);
    }
  });

  /** How alike two sets of types are, from 0 to 1; 1 where one of them is empty, half where each has one of its own. */
  function agreement(some, rest) {
    if (some.size === 0 || rest.size === 0) return 1;
    const both = [...some].filter((one) => rest.has(one)).length;
    const isConflict = both < some.size && both < rest.size;
    return (both / Math.max(some.size, rest.size)) * (isConflict ? 0.5 : 1);
  }

  /** Wordings that resemble a text: place → how much, from 0 to 1. */
  function resembling(text) {
    const asked = features(text);
    let whole = 0;
    const common = new Map();
    for (const [name, weight] of asked) {
      if (!heard.has(name)) {
        whole += weight * (name.includes(" ") ? 0.5 : 1.5);
        continue;
      }
      const worth = weightOf(name);
      whole += weight * worth;
      for (const [place, theirs] of heard.get(name)) {
        const [mine, other, isSaid, start] = common.get(place) ?? [0, 0, false, 0];
        common.set(place, [
          mine + worth * weight,
          other + worth * theirs,
          isSaid || !IS_CLASS.test(name),
          start + (theirs === 1 ? worth : 0),
        ]);
      }
    }
    const types = slots(text);
    const found = new Map();
    const [head] = HEAD.exec(text) ?? [text];
    const isOneSentence = head.trimEnd().length === text.trimEnd().length;
    for (const [place, [mine, theirs, isSaid, start]] of common) {
      if (!isSaid) continue; // the class alone is no message
      const [meant, share] = [mine / whole, Math.max(theirs / wholes[place], isOneSentence ? start / heads[place] : 0)];
      const alike = agreement(types, saidSlots[place]);
      const score = ((0.6 * meant + 0.4 * share) * mine) / (mine + WEIGHTS.enough);
      found.set(place, { score: score * (1 - WEIGHTS.fits * (1 - alike)), meant, share, alike });
    }
    return found;
  }

  const KERNEL = /['"]\w+['"](?= not implemented for)/;

  /** Texts of a paste that may be a message, with what each is worth. */
  function candidates({ errors, plain }) {
    const found = [];
    errors.forEach(([type, ...lines], at) => {
      const worth = at === errors.length - 1 ? 1 : WEIGHTS.nearly;
      for (let end = 1; end <= Math.min(lines.length, LIMITS.joined * 3); end += 1) {
        const text = lines.slice(0, end).join(" ");
        found.push([`${type.split(".").at(-1)} ${text}`, worth], [text, worth]);
        // The kernel that has no code for a dtype may be any.
        if (KERNEL.test(text)) found.push([text.replace(KERNEL, ""), worth * WEIGHTS.nearly]);
      }
    });
    const worth = errors.length > 0 ? WEIGHTS.nearly : 1;
    plain.forEach((_, start) => {
      for (let end = start + 1; end <= Math.min(start + LIMITS.joined, plain.length); end += 1) {
        found.push([plain.slice(start, end).join(" "), worth]);
      }
    });
    return found;
  }

  const COMMON = new Set(["torch", "numpy", "python", "lib", "error", "data", "utils", "core", "tool", "test", "model"].map(spell));
  const topics = pages.map(
    (page) => new Set(tell(`${page.title} ${nameOf(page)} ${page.tags}`).filter((term) => !COMMON.has(term))),
  );

  const covered = new Set(topics.flatMap((topic) => [...topic]));

  /** Libraries in the frames of a paste that some page is about. */
  const librariesOf = ({ libraries }) =>
    [...libraries].map(spell).filter((library) => covered.has(library) && !COMMON.has(library));

  /** Libraries of arrays on a GPU that a text speaks of: what goes there need not leave the GPU. */
  const gpuLibrariesOf = (text) => [...new Set(text.toLowerCase().match(/cupy|numba(?=\.cuda)|jax/g))];

  /** Whether a paste's frames name a library that a page is about. */
  const isFramed = (place, paste) => librariesOf(paste).some((library) => topics[place].has(library));
  const isThere = (term, place) => (postings.get(term) ?? []).some((one, at) => at % 3 === 0 && one === place);
  const API = "api";
  const ofReleases = new Set(wordings.filter(({ text }) => /\bAPI version 0x/.test(text)).map(({ place }) => place));
  /** Whether a page's messages or its words hold a detail, such as "keyword axis". */
  const holds = (detail, place) =>
    detail === API
      ? ofReleases.has(place)
      : (!detail.startsWith("signal ") && isThere(spell(detail.split(" ")[1]), place)) || pages[place].cases.join().split(",").includes(detail);
  const isExact = ({ meant, share, alike }) => Math.min(meant, share, alike) > 0.99;
  const isNearly = ({ meant, share, alike }) => Math.min(meant, share) > 0.8 && alike === 1;

  /** The wording of each page that a paste resembles most: page → { score, wording, … }. */
  function messages(paste) {
    const found = [];
    for (const [text, worth] of candidates(paste)) {
      for (const [place, match] of resembling(text)) {
        found.push({ ...match, score: match.score * worth, wording: wordings[place], text });
      }
    }
    // A page that only shows a message gives way to one about it; one that shows exactly this message, to its like alone.
    const isOwned = found.some((match) => match.wording.isOwn && isNearly(match));
    // So does an error page that shows it beside its own, where another has it for its title.
    const titled = ({ wording, text }) => coverage(wording.place, new Set(tell(text)));
    const isSomeTitle = found.some((match) => match.wording.isOwn && isNearly(match) && titled(match) >= SURE.titled);
    const best = new Map();
    for (const match of found) {
      const { place, isOwn } = match.wording;
      const isAbout = (isOwn || isFramed(place, paste)) && match.alike >= SURE.related;
      const weight = isSomeTitle ? WEIGHTS.nearly + (1 - WEIGHTS.nearly) * titled(match) : 1;
      const factor = isAbout ? weight : isExact(match) && !isOwned ? WEIGHTS.nearly : WEIGHTS.shown;
      const score = match.score * factor;
      if (score > (best.get(place)?.score ?? 0)) best.set(place, { ...match, score });
    }
    return best;
  }

  // --- from one thing to another -------------------------------------------------------------------

  const THING = new Map();
  for (const [thing, words] of Object.entries({
    tensor: "torch tensor",
    array: "numpy array",
    list: "list",
    pillow: "pillow",
    image: "image png jpeg",
    cupy: "cupy",
    numba: "numba",
    jax: "jax",
    scipy: "scipy coo_matrix csr_matrix",
    pandas: "pandas column",
    opencv: "opencv",
    bytes: "byte buffer",
    cuda: "cuda",
    cpu: "cpu",
    number: "python scalar number int float",
    arrow: "arrow",
    audio: "audio wav",
  })) {
    for (const word of words.split(" ")) THING.set(spell(word), thing);
  }
  const BETWEEN = /^(?:to|into|as|become|becomes|onto)$/;

  /** Ways that a text speaks of, as pairs of sets of things. */
  function ways(text) {
    const words =
      text
        .toLowerCase()
        .replaceAll("_", " ")
        .replaceAll(/\([^()]*\)/g, " ") // what stands in brackets explains the thing before it
        .match(/[a-z][a-z0-9]*|[.;:?!](?=\s|$)/g) ?? [];
    const found = [];
    const things = (from, step, limit) => {
      const some = new Set();
      for (let at = from, left = limit; at >= 0 && at < words.length && left > 0; at += step, left -= 1) {
        const word = words[at];
        if (/[.;:?!]/.test(word) || BETWEEN.test(word) || word === "from") break;
        const thing = THING.get(spell(word));
        if (thing) some.add(thing);
      }
      return some;
    };
    words.forEach((word, at) => {
      if (BETWEEN.test(word)) found.push([things(at - 1, -1, 5), things(at + 1, 1, 4)]);
      if (word === "from") found.push([things(at + 1, 1, 4), things(at - 1, -1, 4)]);
    });
    const whole = found.filter(([from, to]) => from.size > 0 && to.size > 0);
    const isFromArray = whole.length === 0 && /\bfrom (?:an? )?(?:numpy|np|ndarray|array)\b/i.test(text);
    if (isFromArray) return [[new Set(["array"]), new Set(["tensor"])]];
    return /\band back\b/i.test(text) ? [...whole, ...whole.map(([from, to]) => [to, from])] : whole;
  }

  const CHAPTERS = {
    "01_numpy_to_tensor": [[new Set(["array"]), new Set(["tensor"])]],
    "02_tensor_to_numpy": [[new Set(["tensor"]), new Set(["array"])]],
  };
  const pageWays = pages.map((page) => {
    const elsewhere = [nameOf(page), page.headings, page.questions].flatMap(ways);
    const known = [ways(page.title), elsewhere].find((some) => some.length > 0);
    return known ?? CHAPTERS[page.page.split("/")[1]] ?? [];
  });

  const shared = (some, rest) => [...some].filter((one) => rest.has(one)).length;

  /** Whether one of some ways is the one that is asked for: from -1 to 1. */
  function towards(asked, known) {
    let best = null; // no way is asked for, or none is known
    for (const [from, to] of asked) {
      for (const [theirFrom, theirTo] of known) {
        const along = (shared(from, theirFrom) / from.size) * (shared(to, theirTo) / to.size);
        const against = (shared(from, theirTo) / from.size) * (shared(to, theirFrom) / to.size);
        const isElsewhere = shared(from, theirFrom) > 0 && shared(to, theirTo) === 0;
        const way = along - Math.max(against, isElsewhere ? 0.5 : 0);
        if (best === null || way > best) best = way;
      }
    }
    return best ?? 0;
  }

  // --- pages by their words ------------------------------------------------------------------------

  /** Known terms that a word stands for: itself, what it begins, the words it was run together from, or a near spelling. */
  function meanings(term, isLast) {
    if (postings.has(term)) return [term];
    if (isLast && term.length >= LIMITS.typed) {
      const begun = [...postings.keys()].filter((known) => known.startsWith(term) && !known.includes(" "));
      if (begun.length > 0) return begun.slice(0, 30);
    }
    if (!/^[a-z]{5,}$/.test(term)) return [];
    for (let at = 2; at <= term.length - 3; at += 1) {
      const [first, rest] = [term.slice(0, at), spell(term.slice(at))];
      if ((STOP.has(first) || postings.has(spell(first))) && postings.has(rest) && rest.length > 3) return [rest];
    }
    return [...postings.keys()].filter((known) => known.length > 4 && known[0] === term[0] && isNear(term, known)).slice(0, 1);
  }

  /** A question with words that no page has put right, where one known word is near. */
  const correct = (text) =>
    text.replaceAll(/(?<![\w.])[a-z]{5,}(?![\w(.])/gi, (word) => {
      const term = spell(word.toLowerCase());
      const found = postings.has(term) || STOP.has(word.toLowerCase()) ? [] : meanings(term, false);
      return found.length === 1 ? found[0] : word;
    });

  /** Whether at most so many letters are added, dropped, changed or exchanged between two words. */
  function isNear(some, other, most = 1) {
    let at = 0;
    while (at < some.length && some[at] === other[at]) at += 1;
    const [mine, theirs] = [some.slice(at), other.slice(at)];
    if (mine === theirs || most === 0) return mine === theirs;
    const rests = [[1, 0], [0, 1], [1, 1]];
    if (mine[0] === theirs[1] && mine[1] === theirs[0]) rests.push([2, 2]);
    return rests.some(([left, right]) => isNear(mine.slice(left), theirs.slice(right), most - 1));
  }

  /** Whether a question speaks of a change that is seen in the other library's object: that is what sharing memory means. */
  function isOfSharing(text) {
    const found = tell(text);
    const things = new Set(found.map((term) => THING.get(term)));
    const isSaid = found.some((term, at) => term === "memory" && found[at - 1] === "share");
    if (isSaid && !found.some((term) => term.includes("."))) return things.has("array") && things.has("tensor");
    return found.includes("change") && things.has("array") && (things.has("tensor") || /numpy\(|batch/.test(text));
  }

  /** Terms of a question, or of a paste, with what each counts. */
  function asking(paste, isKnown) {
    const { errors, plain, code } = paste;
    const last = errors.at(-1);
    const weights = new Map();
    const add = (term, weight) => weights.set(term, Math.max(weights.get(term) ?? 0, weight));
    const put = (text, weight, limit) => {
      const words = wordsOf(named(text)).map((parts) => parts.filter((term) => term.length > 1));
      let before = "";
      for (const [whole, ...parts] of words.filter((one) => one.length > 0).slice(0, limit)) {
        add(whole, weight);
        const isBeside = !whole.includes(".") && (last || postings.has(whole)); // a name that no page has is looked for by its parts
        for (const part of parts) add(part, weight * (isBeside ? WEIGHTS.half : 1));
        if (before !== whole && postings.has(`${before} ${whole}`)) add(`${before} ${whole}`, weight * WEIGHTS.half);
        before = parts.at(-1) ?? whole;
      }
    };
    if (last) put(`${last.slice(1, 1 + LIMITS.joined).join(" ")}`, isKnown ? WEIGHTS.trace : 1, LIMITS.words);
    const question = plain.slice(-6).join(" . ");
    put(last ? question : correct(named(question)), last ? WEIGHTS.half : 1, LIMITS.words);
    put(code.slice(-3).join(" . "), last || plain.length > 0 ? WEIGHTS.half : 1, LIMITS.words);
    for (const library of librariesOf(paste)) put(library, WEIGHTS.half, 1);
    if (!last && isOfSharing(correct(question))) {
      for (const [term, weight] of weights) weights.set(term, WEIGHTS.half * weight);
      put("share memory", 1, 2);
    }
    return weights;
  }

  /** What a term is worth: a pair as much as its words, a name with its parts beside it a share. */
  function worthOf(term, known) {
    if (known.length === 0) return 0;
    if (term.includes(" ")) return term.split(" ").reduce((whole, one) => whole + rarity(one), 0);
    return Math.max(...known.map(rarity)) * (term.includes(".") ? WEIGHTS.half : 1);
  }

  /** How much each page is about the terms: { scores by place, nearest: how near a line of each is to a question, reach: the weight of all terms }. */
  function about(paste, isKnown) {
    const weights = asking(paste, isKnown);
    const scores = new Float64Array(pages.length);
    const matched = pages.map(() => null);
    let reach = 0;
    const order = [...weights.keys()];
    const single = order.filter((term) => !term.includes(" "));
    const perTerm = [];
    for (const term of order) {
      const weight = weights.get(term);
      const known = meanings(term, term === single.at(-1) && paste.errors.length === 0);
      const isPair = term.includes(" ");
      const worth = weight * worthOf(term, known);
      if (!isPair) reach += known.length > 0 ? worth : weight * UNKNOWN;
      if (known.length === 0) continue;
      const occurrences = new Map();
      for (const meant of known) {
        const list = postings.get(meant);
        for (let at = 0; at < list.length; at += 3) {
          const [place, field, count] = [list[at], list[at + 1], list[at + 2]];
          const dilution = 1 - WEIGHTS.length + (WEIGHTS.length * lengths[field][place]) / averages[field];
          occurrences.set(place, (occurrences.get(place) ?? 0) + (FIELDS[fields[field]] * count) / dilution);
        }
      }
      for (const [place, amount] of occurrences) {
        scores[place] += (worth * amount) / (amount + WEIGHTS.saturation);
        if (!isPair) (matched[place] ??= []).push(term);
      }
      perTerm.push(term);
    }
    const nearest = new Float64Array(pages.length);
    const asked = new Set(order);
    const isQuestion = paste.errors.length === 0;
    const question = isQuestion ? correct(named(paste.plain.join(" . "))) : "";
    const [subject, way, compared] = [subjectOf(question), ways(question), isQuestion ? namesCompared(paste.plain.join(" . ")) : []];
    // Who rebinds a name asks about that, whichever call made the tensor.
    const isOneCall = compared.length === 0 && !asked.has("rebind") && calls.filter((name) => asked.has(name)).length === 1;
    const written = question.match(CALL) ?? [];
    pages.forEach((page, place) => {
      if (scores[place] === 0) return;
      const has = (name) => titles[place].names.has(name);
      const isAlong = (own) => (way.length > 0 ? towards(way, own) > 0 : own.length === 0);
      const nearness = (line) => (isSame(subject, line.subject) && isAlong(line.ways) ? 1 : likeness(line.terms, weights, reach));
      const factors = [
        coverage(place, asked),
        towards(way, pageWays[place]),
        Number(isOneCall && asked.has(calls[place])),
        // A page that compares comes before one that explains one of the two.
        compared.length > 0 && compared.every(has) ? 1 : -Number(compared.some(has)),
        Number(written.some((call) => page.title.includes(call))),
      ];
      for (const factor of factors) scores[place] *= 1 + WEIGHTS.fits * factor;
      if (isQuestion && !isKnown) nearest[place] = Math.max(...titles[place].lines.map(nearness));
      scores[place] *= PRIOR[page.part] * (1 + WEIGHTS.trace * Math.log(1 + page.links));
    });
    return { scores, nearest, matched, reach, terms: single };
  }

  /** How near a line is to a question, from 0 to 1, by the weight of the words that both have. */
  function likeness(line, weights, reach) {
    const both = sum(line.map((term) => rarity(term) * (weights.get(term) ?? 0)));
    return both / ((sum(line.map(rarity)) + reach) / 2 + WEIGHTS.few);
  }

  /** Share of a page's title that was asked for. */
  function coverage(place, asked) {
    const { terms: own, whole } = titles[place];
    return whole > 0 ? sum(own.filter((term) => asked.has(term)).map(rarity)) / whole : 0;
  }

  // Names of pages that are a call's name, such as from_numpy; a page about `share_memory_` has more in its name.
  const calls = pages.map((page) => nameOf(page)).map((name) => (name.includes("_") ? name : ""));
  /** What a question or a title is about: its things and other words, however the conversion is called. */
  const subjectOf = (text) => new Set(tell(text).map((term) => THING.get(term) ?? term).filter((term) => term !== "convert"));
  const BETWEEN_TWO = new RegExp(
    "([a-z_][\\w.]*)(?:\\([^()]*\\))?,?\\s+(vs\\.?|versus|or|and|instead of|rather than|over|compared (?:to|with))" +
      "\\s+(?:(?:to|with|use|using|call|calling|the|a)\\s+)*([a-z_][\\w.]*\\w)",
    "gi",
  );
  const KIND = /^(?:torch|numpy|np|tensors?|arrays?|lists?|cpu|gpu|cuda)$/i;

  /** The two names that a question compares: as_tensor and tensor, of torch.as_tensor vs torch.tensor. */
  function namesCompared(question) {
    const pairs = [...question.matchAll(BETWEEN_TWO)].map(([, first, word, second]) => [word, [first, second]]);
    const isName = (name) => /[._]/.test(name);
    const found = pairs.find(
      ([word, both]) => both.every(isName) || (!/^and$/i.test(word) && !both.some((name) => STOP.has(name) || KIND.test(name))),
    );
    return found ? found[1].map((name) => name.split(".").at(-1)) : [];
  }
  const CALL = /(?:[a-z_]\w*\.)*[a-z_]\w*\([^() ]+\)/gi; // with an argument, such as numpy(force=True)
  const isSame = (some, other) => some.size === other.size && some.size > 1 && shared(some, other) === some.size;
  const titles = pages.map((page) => {
    const own = [...new Set(tell(page.title))];
    const lines = [page.title, ...page.questions.split(/(?<=[.?]) /), ...page.headings.split(". ")].map((line) => {
      const [head] = line.split(":");
      return { subject: subjectOf(head), ways: ways(head), terms: [...new Set(tell(line))] };
    });
    // Of the words for things, such as "tensor", those that are written as a call or listed among calls.
    const words = [...page.title.matchAll(/(\.)?\b([a-z_]\w*)(?=([,(]| or )?)/gi)];
    const names = new Set(words.filter(([, dot, word, end]) => dot || end || !KIND.test(word)).map(([, , word]) => word));
    return { terms: own, whole: own.reduce((whole, term) => whole + rarity(term), 0), lines, names };
  });

  // --- the answer ----------------------------------------------------------------------------------

  const OTHERS = "tensorflow|tf|tf2|eagertensor|keras\\w*|tflite|mxnet|paddle\\w*|theano|caffe\\d?|chainer";
  const FOREIGN = new RegExp(`\\b(?:${OTHERS}|matlab|julia|java|javascript|golang|unity)\\b`, "i");
  const OURS = /\b(?:py)?torch\b/i;
  const CALLED = new RegExp(`(?<![\\w./])(${OTHERS}|jax|jnp)\\.\\w`);

  /** Whether a paste's code calls another framework. */
  const isCalling = (text) => CALLED.test(clean(text));

  /** Whether a text is about a library that this site says nothing of. */
  function isForeign(text, { errors, libraries }) {
    const called = (!OURS.test(text) && CALLED.exec(clean(text))?.[1]) || "";
    const asked = errors.length > 0 ? `${errors.at(-1).join(" ")} ${called}` : text;
    const isCalled = [...libraries].some((library) => FOREIGN.test(library)) && !libraries.has("torch");
    const [name] = FOREIGN.exec(asked) ?? [];
    return isCalled || (name !== undefined && !OURS.test(asked) && (errors.length > 0 || !covered.has(spell(name.toLowerCase()))));
  }

  const DETAILS = window.atlasIndex.details.map(([kind, pattern]) => [kind, new RegExp(pattern, "g")]);

  /** Names, classes, signals, versions and ranks in a message, as the index has them. */
  function detailsOf(text) {
    const found = [];
    for (const [kind, pattern] of DETAILS) {
      for (const value of Array.from(text.matchAll(pattern), (match) => match.at(-1))) {
        const axes = /^[[(]/.test(value) && value.match(/\d+/g).length;
        found.push(`${kind} ${axes || value.replace(/^.*\.(?=[A-Za-z_])/, "").toLowerCase().replace(/_+$/, "")}`);
      }
    }
    return found;
  }

  /** Terms of the words of a text that are no names of code, no parts of one, and no types. */
  const plainOf = (text) =>
    tell((text.match(/(?<![\w.'"`])[a-z]{2,}(?![\w.(]*[\w(])/gi) ?? []).join(" ")).filter((term) => !TYPE.test(term));

  const wholeOf = ({ errors }) => errors.at(-1)?.slice(1, 1 + LIMITS.joined).join("\n");

  /** Whether a page is about a message with these very details and words: another case may share the rest. */
  function isCovered({ page, place, message }, { errors, plain, code }) {
    const whole = (wholeOf({ errors }) ?? message.text).replace(/\bGLOBAL numpy\.[\w.]+/, ""); // any of NumPy's is as good
    // Which call of NumPy's wraps a tensor stands beside this warning, if no operator does it.
    const lines = /__array_wrap__/.test(whole) ? [...plain, ...code].filter((line) => !/ [-+*/@] /.test(line)) : [];
    const details = detailsOf(whole);
    const isOf = (known) => details.every((one) => known.has(one) || known.has(one.replace(/\.\d+$/, "")));
    const isSpelled = plainOf(message.text).every((term) => postings.has(term));
    const [head] = HEAD.exec(message.text) ?? [message.text];
    const words = [...plainOf(head), ...tell([whole, ...lines].join(" ")).filter((term) => /^(?:numpy|torch)\./.test(term))];
    return isSpelled && words.every((term) => isThere(term, place)) && ["", ...page.cases].some((known) => isOf(new Set(known.split(","))));
  }

  // Whoever asks which release to install is not answered by a page about the library that does not say it.
  const INSTALLING = new Set(tell("install installation upgrade update version release"));

  // What pandas 2 removed is about no array.
  const OF_PANDAS = /\b(?:DataFrame|Series)' object has no attribute '(?:append|iteritems|ix|lookup|mad)'/;
  const ASSERTED = /\bAssertion failed\) (\S.*?)(?= in function|$)/;

  /** Whether a message is about something that no page has: a condition of OpenCV's, or a name of pandas alone. */
  function isUnheard(paste) {
    const whole = wholeOf(paste) ?? paste.plain.join("\n");
    const condition = ASSERTED.exec(whole)?.[1];
    return OF_PANDAS.test(whole) || (condition !== undefined && !wordings.some(({ text }) => text.includes(condition)));
  }

  // What a message, or the code around it, says where arrays and tensors meet: else it is NumPy's or Python's alone.
  const OF_FIELD =
    /torch|tensor|numpy(?! arrays, use)|ndarray|\bnp\.(?!concatenate)|d(?:ata )?type|scalar type|float\d|cuda|dlpack|onnx|\bmps\b|__array|copy=|avoid copy|weights|CV_\d|UMat|input (?:to conv|for \d)|input\[|image data|implemented for '|Allocator|attribute '(?:item|to|unsqueeze|backward)'/i;
  const BESIDE = /torch|tensor|loader|collate|\bcuda|\.(?:cpu|detach|backward|item|numpy|to)\(|\bF\.[a-z]|autograd/i;
  // Errors of many causes, of which a page has some.
  const OF_MANY = /out of memory|allocate memory|not enough memory|No CUDA GPUs|device-side assert|NVIDIA driver|CUDA driver|values to unpack|equal size|passed a tuple|create tensor|equal to tolerance|mismatched elements|have a grad_fn|device ordinal|non-empty|inhomogeneous|element tensors can|converted to an index|attribute 'compiler'|Sizes of tensors must match|number of dimension of|not producing an array|and cuda:[1-9]|\(1, 1, (?:[5-9]|1\d)\), \|u1/i;

  /** Whether a message ends before the two types that its wording names: which they are decides. */
  const isCut = ({ text, wording }) => slots(text).size === 0 && slots(wording.text).size > 1;

  const OF_LAYERS = /, in forward\b|torch[\\/]nn[\\/]/;
  /** Whether a message of two devices, dtypes or an axis may be of a model's own parts: nothing in the paste is of NumPy. */
  const isWithinModel = (message, text) =>
    !/numpy|\bnp\./i.test(text) &&
    (/at least two devices/.test(message) || (OF_LAYERS.test(text) && /expected scalar type|Dimension out of range/.test(message)));

  const INSTALLED = /(?:site|dist)-packages/;
  /** Frames of a paste, those in torch and NumPy left out. */
  const framesOf = (text) =>
    text.split("\n").filter((line) => (ARROW.test(line) || FRAME.test(line)) && !/(?:packages[\\/]|["'\s])(?:numpy|torch)[\\/]/.test(line));

  /** Whether a library's line says copy=False: modules of a package that a script imports have a path without its root. */
  const isOfLibrary = (message, text) =>
    /avoid copy/.test(message) && (INSTALLED.test(framesOf(text).at(-1)) || /File "[a-z]\w*[\\/].*, in \w/.test(framesOf(text).at(-1)));

  // A method that was not called, on whose name an attribute is looked for.
  const isUncalled = (message, text) =>
    /'(?:function|(?:builtin_function_or_)?method)' object/.test(message) && !/\.(?:numpy|cpu|detach|item)\b(?!\()/.test(text);

  /** Whether the cause may well be another than a page's: only what stands around the message would tell. */
  const isGeneral = ({ message }, text) =>
    OF_MANY.test(message.text) || isWithinModel(message.text, text) || isUncalled(message.text, text) || isOfLibrary(message.text, text) || !(OF_FIELD.test(message.text) || BESIDE.test(text)) || isCut(message);

  /** How sure the first of the findings is: "sure", "maybe", or "none" where no page answers. */
  function confidence(found, paste, text) {
    const [first, second] = found;
    if (!first || isForeign(text, paste) || isUnheard(paste)) return "none";
    if (first.said < SURE.faint && first.words < (paste.errors.length > 0 ? SURE.scattered : SURE.thin)) {
      return "none";
    }
    if (!first.message || first.said < SURE.said) {
      const isAhead = !second || second.score < SURE.ahead * first.score;
      const isOther = first.lacks.some((term) => INSTALLING.has(term));
      if (paste.errors.length === 0 && isOther && first.share < SURE.share) return "none";
      const isAnswered = first.words >= SURE.words && first.share > SURE.share && !isOther;
      const isSpelled = plainOf(paste.plain.join(" ")).every((term) => postings.has(term));
      const isQuestion = paste.errors.length === 0 && !/\w(?:Error|Exception):\s*$/m.test(text);
      return isQuestion && isAhead && isSpelled && isAnswered ? "sure" : "maybe";
    }
    // Where two pages are about one message, what stands around it decides between them, or nothing does.
    const isWhole = ({ message }) => message?.wording.isOwn && isNearly(message) && !WRAPPER.test(message.wording.text);
    const isCase = (other) => detailsOf(wholeOf(paste) ?? "").length === 0 || (other.message && isCovered(other, paste));
    const all = new Set(tell(text));
    const isNamed = coverage(first.place, all) > SURE.named;
    const isAnothers = (other) =>
      !(isNamed && coverage(other.place, all) < SURE.titled) && isCase(other) && (first.said - other.said < SURE.margin || (isWhole(other) && isCovered(other, paste)));
    const isToHost = first.page.code.includes(".cpu()") && /numpy/i.test(first.message.text);
    const wanted = isToHost ? gpuLibrariesOf(text) : [];
    const drawn = /^(?!.*\.numpy\().*\bplot\(.*loss/im.test(text) ? ["matplotlib"] : [];
    // A library that calls torch matters where another page is about this message there.
    const isTheirs = (library) => found.some((one) => topics[one.place].has(library) && one.said >= SURE.related);
    const isElsewhere = [...[...librariesOf(paste), ...drawn].filter(isTheirs), ...wanted].some((library) => !topics[first.place].has(library));
    const fits = first.message.alike >= SURE.alike && first.message.wording.isOwn && isCovered(first, paste);
    return fits && !isGeneral(first, text) && !isElsewhere && !isCalling(text) && !found.slice(1).some(isAnothers) ? "sure" : "maybe";
  }

  // --- a question that the chooser, a row of the matrix or the page of upgrades answers --------------

  const choices = window.atlasIndex.choices.map(([name, title, form, dtypes]) => {
    const words = wordsOf(named(title)).map(([whole]) => whole);
    return { name, form, dtypes: dtypes.split(" "), words: [...new Set(words)].filter((word) => word && word !== form) };
  });
  const FORMS = { array: ["tensor", "TENSOR", "torch."], tensor: ["array", "ARRAY", ""] };
  const DTYPE = /^(?:u?int|float|bfloat|complex)\d+$|^bool$/;

  /** What a part of a question says in the chooser's words: form, dtype, source; null where it says anything else. */
  function describeSide(text) {
    const bare = text.replaceAll(/\b(?:np|numpy|torch)\.(?=[a-z]+\d)/gi, "");
    const asked = new Set(wordsOf(named(bare)).map(([whole]) => whole).filter(Boolean));
    const dtypes = [...asked].filter((term) => DTYPE.test(term));
    const forms = Object.keys(FORMS).filter((form) => asked.has(form));
    if (dtypes.length > 1 || forms.length > 1) return null;
    const [dtype = "", form = ""] = [dtypes[0], forms[0]];
    const isNamed = ({ words }) => words.length > 0 && words.every((word) => asked.has(word));
    const fits = (one) => (!form || one.form === form) && (!dtype || one.dtypes.includes(dtype)) && isNamed(one);
    const source = choices.filter(fits).sort((a, b) => b.words.length - a.words.length)[0] ?? null;
    const known = new Set([dtype, form, "numpy", "torch", "convert", ...(source?.words ?? [])]);
    return [...asked].every((term) => known.has(term)) ? { dtype, form: form || source?.form || "", source } : null;
  }

  /** The chooser, asked for what a question names: a dtype with a layout or flag, or with another dtype. */
  function findConversion(text) {
    const [has, wants, ...more] = text.trim().split(/\s+(?:as|to|into)\s+/i).map(describeSide);
    if (!has?.form || !has.dtype || !wants || more.length > 0 || !(has.source || wants.dtype)) return null;
    const [form, kind, prefix] = FORMS[has.form];
    // An array is converted to a tensor; "float32 tensor to float16" may stay a tensor.
    const isOurs = wants.form ? wants.form === form : has.form === "array";
    if (wants.source || !isOurs) return null;
    const have = [`${has.form}-${has.dtype}`, ...(has.source ? [has.source.name] : [])].join(",");
    const parts = { have, want: kind, ...(wants.dtype && { dtype: prefix + wants.dtype }) };
    return { page: pages.find(({ page }) => page === "choose"), anchor: `#${new URLSearchParams(parts)}` };
  }

  const escaped = (code) => code.replaceAll(/[^\w\s]/g, "\\$&").replaceAll(/\s+/g, "\\s*");
  const rows = pages
    .filter(({ part, title }) => part === "Matrix" && title.includes("="))
    .map((page) => [page, new RegExp(`^\\s*${escaped(page.title).replaceAll(/\bx\b/g, "[a-z_]\\w*")}`, "i")]);

  /** The row of the matrix about the call that a question begins with, arguments and all, whatever its variable is called. */
  function findRow(text) {
    const found = rows.filter(([, call]) => call.test(text)).map(([page]) => ({ page, anchor: "" }));
    return found.sort((a, b) => b.page.title.length - a.page.title.length)[0] ?? null;
  }

  const UPGRADING = new Set(tell("torch numpy numpy1 numpy2 upgrade update move change break difference behaviour version release new old"));
  const RELEASE = /(?:\b(torch|numpy)[\s=v-]*)?(?<![\w.])(\d+\.\d+)(?:\.\d+)?(?![\w.])/gi;

  /** The page that compares two releases, where a question names both and asks for nothing else. */
  function findUpgrade(text) {
    const [first, second, ...more] = [...text.replaceAll(/pytorch/gi, "torch").matchAll(RELEASE)];
    const isWay = /->|=>|→|\bto\b|\bvs\b|\band\b|\bupgrad/i.test(text);
    const isPinning = /\bpin/i.test(text); // asks which releases fit together
    if (!second || more.length > 0 || !isWay || isPinning || !tell(text).every((term) => UPGRADING.has(term))) return null;
    const library = (first[1] ?? second[1] ?? "torch").toLowerCase();
    const parts = { from: `${library}-${first[2]}`, to: `${library}-${second[2]}` };
    return { page: pages.find(({ page }) => page === "upgrade"), anchor: `#${new URLSearchParams(parts)}` };
  }

  /** Pages that answer, the best first, and how sure that is: { state, found: [{ page, score, wording, isMessage, lacks }] }. */
  function find(text) {
    const paste = read(text);
    const answer = paste.errors.length === 0 ? (findConversion(text) ?? findRow(text) ?? findUpgrade(text)) : null;
    const { state, found } = rank(text, paste);
    if (!answer?.page) return { state, found };
    const first = { ...answer, score: Infinity, said: 0, words: 1, wording: null, types: null, lacks: [], isFix: false };
    return { state: "sure", found: [first, ...found.filter(({ page }) => page !== answer.page)].slice(0, LIMITS.found) };
  }

  /** Details that a page must have: of the message, and, of the lines before it, that two releases do not fit together. */
  function listDeciding(paste) {
    const before = [...paste.plain, ...paste.errors.slice(0, -1).flat()].join("\n");
    const found = detailsOf(wholeOf(paste) ?? paste.plain.join("\n")).filter((detail) => /^(?:byte|keyword|signal) /.test(detail));
    const isOfReleases = paste.errors.length > 0 && detailsOf(before).some((detail) => detail.startsWith("api "));
    return isOfReleases ? [...found, API] : found;
  }

  /** The same by words and messages alone. */
  function rank(text, paste) {
    const near = messages(paste);
    const isKnown = Math.max(0, ...[...near.values()].map((match) => match.score)) >= SURE.said;
    const isPaste = isKnown || paste.errors.length > 0;
    const { scores, nearest, matched, reach, terms: asked } = about(paste, isKnown);
    const deciding = listDeciding(paste);
    const isMessage = isKnown && paste.errors.length > 0 && deciding.length === 0;
    const isBare = isMessage && tell([...paste.plain, ...paste.code].join(" ")).length === 0;
    const beside = WEIGHTS.half * (isBare ? WEIGHTS.half : 1);
    const whole = sum(asked.map(rarity));
    const found = [];
    pages.forEach((page, place) => {
      const message = near.get(place) ?? null;
      const isOther = !deciding.every((detail) => holds(detail, place));
      const words = reach > 0 ? scores[place] / reach : 0;
      if (!message && words <= 0) return;
      const isFromFrames = message !== null && isFramed(place, paste);
      const told = ((message?.score ?? 0) + (isFromFrames ? WEIGHTS.trace : 0)) * (isOther ? WEIGHTS.shown : 1);
      const either = Math.max(told, words) + WEIGHTS.trace * Math.min(told, words);
      const there = new Set(matched[place]);
      const absent = asked.filter((term) => !there.has(term));
      const lacks = absent.filter((term) => rarity(term) > 1.5);
      const share = whole > 0 ? 1 - sum(absent.map(rarity)) / whole : 0;
      // Of two pages alike, the one that has more of a question's words answers more of it.
      const answers = either * (1 + WEIGHTS.line * nearest[place]) * (1 + WEIGHTS.half * WEIGHTS.fits * share);
      const score = (isPaste ? told + beside * words : answers) * (isOther ? WEIGHTS.shown : 1);
      // What decides is the weight of the words themselves: with more of them there is more, never less.
      if (scores[place] >= LIMITS.least || told >= SURE.related) {
        found.push({ page, place, score, said: told, words, message, lacks, share });
      }
    });
    found.sort((a, b) => b.score - a.score || a.place - b.place);
    const best = found.slice(0, LIMITS.found);
    const state = confidence(best, paste, text);
    const written = new Map((clean(text).match(NAME) ?? []).map((name) => [spell(name.toLowerCase()), name]));
    const isPasted = paste.errors.length > 0;
    return { state, found: best.map((finding) => describe(finding, state, { text, isPasted, written })) };
  }

  // What a fix's code is about, and what a paste then must have: a file that was saved, masked elements.
  const ABOUT = [
    [/\bsave\(/, /\bsave\w*\(/],
    [/\bmasked\b/, /masked/i],
    [/\bdownload/, /^(?!.*(?:load key, 'v'|operand 118|header too large))/s], // a Git LFS pointer begins with a v
    [/\.float\(\)/, /^(?!.*(?:\.double\(|(?:torch|np)\.float64))/s], // float64 on purpose
  ];
  const OF_LINE = /has no attribute|was removed|avoid copy|Weights only|MPS Tensor/; // the line that raises is to be changed
  const BESIDE_CODE = /\b(?:install|upgrade|download)\b/i;

  /** Whether a page's fix fits: a library's line is not the reader's to change, and another message of the page may need another fix. */
  function isFitting({ page, place, message }, text) {
    const [, name] = /(?:^|: |Error )(\w+)\(\) (?:received|got|missing)\b/.exec(message.text) ?? [];
    const lines = framesOf(text);
    const isCalled = !name || lines.length === 0 || text.includes(`.${name}(`);
    const isInstalled = OF_LINE.test(message.text) && INSTALLED.test(lines.at(-1));
    // A name that the code in view does not have is a library's.
    const [, gone] = /module 'numpy' has no attribute '(\w+)'/.exec(message.text) ?? [];
    const isInView = !gone || lines.length === 0 || text.split(/^\s*\w*AttributeError:/m)[0].includes(`.${gone}`);
    const isTitle = BESIDE_CODE.test(page.fix) || coverage(place, new Set(tell(message.text))) >= SURE.titled;
    return isCalled && isInView && !isInstalled && isTitle && ABOUT.every(([fix, paste]) => !fix.test(page.code) || paste.test(text));
  }

  /** A finding with what a reader is shown of it: its wording, and what tells it from what was asked. */
  function describe(finding, state, { text, isPasted, written }) {
    const { message } = finding;
    const isMessage = message !== null && message.score >= SURE.faint;
    const wording = isMessage ? message.wording : null;
    const [asked, theirs] = isMessage ? [slots(message.text), slots(message.wording.text)] : [new Set(), new Set()];
    const asWritten = (name, original) => new RegExp(`\\b${name}\\b`, "i").exec(original)?.[0] ?? name;
    const only = (some, rest, original) => [...some].filter((one) => !rest.has(one)).map((one) => asWritten(one, original));
    const types =
      message !== null && message.alike < 1
        ? { asked: only(asked, theirs, message.text), theirs: only(theirs, asked, message.wording.text) }
        : null;
    const isQuestion = !isPasted && state !== "sure";
    const lacks = isQuestion ? finding.lacks.map((term) => written.get(term)).filter(Boolean) : [];
    const isFix = state === "sure" && message !== null && message.score >= SURE.said && isFitting(finding, text);
    return { ...finding, wording, types, lacks: lacks.slice(0, 4), isFix };
  }

  window.atlasSearch = { find, isNear, read, terms, features, slots, ways, WEIGHTS, PRIOR, SURE };
})();
