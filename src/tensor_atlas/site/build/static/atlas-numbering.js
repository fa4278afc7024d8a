// Which environment gave which outcome: the only script that reads what tensor_atlas/history/patterns.py spells.
// It touches no document, so that tests run it without a browser. A classic script, for pages opened as files.
(() => {
  "use strict";

  const FIRST_LETTER = 48; // code of the letter for outcome 0; a blank stands for none
  const NEXT = -1; // 0 where it stands first, then 1, and so on

  const patterns = () => window.atlasPatterns.patterns;

  /** Place of an environment in every pattern of the site; -1 for one that no pattern knows. */
  const placeOf = (id) => window.atlasPatterns.environments.indexOf(id);

  /** Number of the outcome at a place of a pattern; undefined for none. */
  function readLetter(pattern, place) {
    const number = pattern.charCodeAt(place) - FIRST_LETTER;
    return number >= 0 ? number : undefined;
  }

  /** Whether a pattern has an outcome for the environment at a place. */
  const isIn = (number, place) => readLetter(patterns()[number], place) !== undefined;

  /** Outcome that a mapping gives the environment at a place; undefined for none. */
  const outcomeAt = (mapping, place) => mapping[1 + readLetter(patterns()[mapping[0]], place)];

  /** Whether any environment gave an outcome. */
  const hasOutcome = (mapping) => mapping.length > 1;

  function restorer() {
    let count = 0;
    return (number) => (number === NEXT ? count++ : number);
  }

  /** Numbers, with the new ones spelled out. */
  const readNumbers = (numbers) => numbers.map(restorer());

  /** Mappings, with the new numbers of outcomes spelled out: [pattern, outcome, …]. */
  function readMappings(mappings) {
    const restore = restorer();
    return mappings.map(([pattern, ...outcomes]) => [pattern, ...outcomes.map(restore)]);
  }

  window.atlasOutcomes = { placeOf, readLetter, isIn, outcomeAt, hasOutcome, readNumbers, readMappings };
})();
