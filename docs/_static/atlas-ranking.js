// Which pages answer a message or a few words. The rules are those of tensor_atlas/site/ranking.py, and their numbers come
// with the index; a test in a browser holds the two together.
// A classic script: browsers refuse modules on pages opened as files.
(() => {
  "use strict";

  const { rules, leaves, wordings } = window.atlasIndex;
  const { STOP, SAME, ENDINGS, FIELDS, PRIOR } = rules;
  const TOKEN = new RegExp(rules.TOKEN, "g");
  const QUALIFIED = new RegExp(rules.QUALIFIED, "g");
  const [FRAME, FILE, CLASS, MARK] = ["FRAME", "FILE", "CLASS", "MARK"].map((name) => new RegExp(rules[name]));
  const stop = new Set(STOP);
  const same = new Map(Object.entries(SAME));

  const pages = leaves.map(([page, title, part, lead, more, tags, names, fix, code]) => {
    return { page, title, part, lead, more, tags, names, fix, code };
  });
  const said = wordings.map(([place, type, text, where, isOwn]) => ({ place, type, text, where, isOwn: isOwn > 0 }));

  // --- words -------------------------------------------------------------------------------------

  function stem(word) {
    if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
    for (const [ending, rest] of ENDINGS) {
      if (!word.endsWith(ending) || word.length - ending.length + rest.length < 3 || word.endsWith("ss")) continue;
      const bare = word.slice(0, word.length - ending.length) + rest;
      const isDoubled = ["ing", "ed"].includes(ending) && bare.at(-1) === bare.at(-2) && !"aeiouls".includes(bare.at(-1));
      return isDoubled ? bare.slice(0, -1) : bare;
    }
    return word;
  }

  const spelled = (word) => stem(same.get(word) ?? word);

  function words(text) {
    const lowered = text.toLowerCase().replaceAll("’", "'").replaceAll("n't", "nt");
    return (lowered.match(TOKEN) ?? []).map(spelled);
  }

  function tokens(text) {
    const lowered = text.toLowerCase();
    const found = [];
    for (const word of words(lowered.replace(QUALIFIED, " $2"))) {
      found.push(word);
      if (word.includes("_")) found.push(...word.split("_").filter(Boolean).map(spelled));
    }
    for (const [, of, name] of lowered.matchAll(QUALIFIED)) found.push(`${same.get(of) ?? of}.${name}`);
    return found;
  }

  const terms = (text) => [...new Set(tokens(text))].filter((term) => !stop.has(term));

  function substance(text) {
    const found = [];
    let inside = -1;
    for (const line of text.replaceAll("\r", "").split("\n")) {
      const unmarked = line.trimEnd().replace(MARK, "");
      const depth = unmarked.length - unmarked.trimStart().length;
      const file = FILE.exec(unmarked);
      if (file) {
        inside = depth;
      } else if (depth <= inside || inside < 0 || !unmarked) {
        inside = -1;
        if (unmarked.trim() && !FRAME.test(unmarked)) found.push(unmarked.trim());
      }
    }
    return found;
  }

  function features(sequence) {
    const seen = new Map();
    const pairs = sequence.slice(1).map((word, index) => `${sequence[index]} ${word}`);
    return [...sequence, ...pairs].map((feature) => {
      const count = (seen.get(feature) ?? 0) + 1;
      seen.set(feature, count);
      return count === 1 ? feature : `${feature} ${count}`;
    });
  }

  function rarityOf(documents) {
    const counts = new Map();
    for (const document of documents) for (const one of document) counts.set(one, (counts.get(one) ?? 0) + 1);
    return new Map([...counts].map(([one, count]) => [one, Math.log(1 + documents.length / count)]));
  }

  // --- the index ---------------------------------------------------------------------------------

  const stemOf = (leaf) => (leaf.part === "Matrix" ? "" : leaf.page.slice(leaf.page.lastIndexOf("/") + 1));

  function fieldsOf(leaf) {
    const found = new Map();
    const add = (term, weight) => found.set(term, [...(found.get(term) ?? []), weight]);
    for (const term of terms(stemOf(leaf))) add(term, rules.STEM);
    for (const [name, weight] of FIELDS) for (const term of terms(leaf[name])) add(term, weight);
    const named = new Map();
    leaf.names.split(/\s+/).forEach((name, place) => {
      for (const term of terms(name)) {
        if (!named.has(term)) named.set(term, rules.NAMES / (1 + place / rules.FADING));
      }
    });
    for (const [term, weight] of named) add(term, weight);
    const whole = (weights) => weights.reduce((sum, weight) => sum + weight, 0);
    return new Map(
      [...found].map(([term, weights]) => {
        const best = Math.max(...weights);
        return [term, Math.min(rules.STEM, best + rules.BESIDE * (whole(weights) - best))];
      }),
    );
  }

  const parts = said.map((one) => features(words(`${one.type} ${one.text}`)));
  const rarity = rarityOf(parts);
  const wholes = parts.map((part) => part.reduce((sum, feature) => sum + rarity.get(feature), 0));
  const posted = new Map();
  parts.forEach((part, place) => {
    for (const feature of part) {
      if (!posted.has(feature)) posted.set(feature, []);
      posted.get(feature).push(place);
    }
  });
  const fields = pages.map(fieldsOf);
  const known = rarityOf(fields.map((field) => [...field.keys()]));
  const rarest = Math.max(1, ...known.values());
  const titles = pages.map((leaf) => {
    const own = stemOf(leaf);
    return [terms(leaf.title), words(own), terms(own.replaceAll("_", " "))];
  });

  // --- the ranking -------------------------------------------------------------------------------

  const rounded = (score) => Math.floor(score * 1e6 + 0.5) / 1e6;

  function segments(text) {
    const lines = substance(text).slice(-rules.LONGEST);
    const found = [];
    lines.forEach((_, start) => {
      for (let end = start + 1; end <= Math.min(start + rules.JOINED, lines.length); end += 1) {
        const whole = lines.slice(start, end).join(" ");
        for (const variant of new Set([whole, whole.replace(CLASS, "")])) {
          const sequence = words(variant);
          if (sequence.length > 0) found.push([sequence, end === lines.length ? 1 : rules.EARLIER]);
        }
      }
    });
    return found;
  }

  function resembling(segment) {
    const sought = features(segment);
    const there = sought.filter((feature) => rarity.has(feature));
    let asked = 0;
    const common = new Map();
    for (const feature of there) {
      asked += rarity.get(feature);
      for (const place of posted.get(feature)) common.set(place, (common.get(place) ?? 0) + rarity.get(feature));
    }
    asked += rules.UNKNOWN * (sought.length - there.length);
    return [...common].map(([place, weight]) => {
      const [share, meant] = [weight / wholes[place], weight / asked];
      const score = ((0.6 * meant + 0.4 * share) * weight) / (weight + rules.ENOUGH);
      const isVerbatim = meant > rules.SAME_WEIGHT && segment.length >= rules.VERBATIM;
      return [place, isVerbatim ? Math.max(score, rules.SURE + (1 - rules.SURE) * share) : score];
    });
  }

  function wordingsOf(text) {
    const best = new Map();
    for (const [segment, worth] of segments(text)) {
      for (const [place, score] of resembling(segment)) {
        const here = score * worth * (said[place].isOwn ? 1 : rules.ELSEWHERE);
        best.set(place, Math.max(best.get(place) ?? 0, here));
      }
    }
    return [...best].sort(([a, some], [b, others]) => rounded(others) - rounded(some) || a - b);
  }

  function meantBy(term, isLast) {
    if (known.has(term)) return [term];
    return isLast && term.length >= rules.TYPED ? [...known.keys()].filter((one) => one.startsWith(term)) : [];
  }

  function covered(place, asked) {
    const weight = (some) => some.reduce((sum, term) => sum + (known.get(term) ?? 0), 0);
    const share = (title) => (weight(title) ? weight(title.filter((term) => asked.has(term))) / weight(title) : 0);
    return Math.max(...titles[place].map(share));
  }

  function about(text) {
    const asked = terms(substance(text).at(-1) ?? "").slice(0, rules.LONGEST_QUESTION);
    const scores = new Map();
    if (asked.length === 0) return scores;
    const meant = asked.map((term, place) => meantBy(term, place === asked.length - 1));
    const weights = meant.map((some) => (some.length ? Math.max(...some.map((term) => known.get(term))) : rarest));
    const whole = weights.reduce((sum, weight) => sum + weight, 0);
    const all = new Set(meant.flat());
    fields.forEach((field, place) => {
      let score = 0;
      meant.forEach((some, at) => {
        score += (weights[at] * Math.max(0, ...some.map((term) => field.get(term) ?? 0))) / rules.STEM;
      });
      score /= whole;
      if (score <= 0) return;
      const both = (1 - rules.TITLE) * score + rules.TITLE * covered(place, all);
      scores.set(place, rules.ABOUT * both * PRIOR[pages[place].part]);
    });
    return scores;
  }

  function find(text) {
    const best = new Map();
    for (const [place, score] of wordingsOf(text)) {
      if (!best.has(said[place].place)) best.set(said[place].place, [score, said[place]]);
    }
    const other = about(text);
    const found = [];
    pages.forEach((leaf, place) => {
      const [score, wording] = best.get(place) ?? [0, null];
      const beside = other.get(place) ?? 0;
      const total = Math.max(score, beside) + rules.BOTH * Math.min(score, beside);
      if (total >= rules.LEAST) found.push({ leaf, place, score: total, wording: score >= rules.LEAST ? wording : null });
    });
    const highest = Math.max(0, ...found.map(({ score }) => score));
    const near = found.filter(({ score }) => score >= rules.NEAR * highest);
    return near.sort((a, b) => rounded(b.score) - rounded(a.score) || a.place - b.place);
  }

  window.atlasRanking = { find };
})();
