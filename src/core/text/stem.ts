/** Reduces an English word to its stem with the Snowball English (Porter2) algorithm, as of Snowball 3.0. */

/**
 * Stems one word; `connection`, `connected` and `connect` become `connect`. Own code, because the JavaScript packages implement
 * Porter's first algorithm or Snowball 2. Both give the same stem to `organization` and `organism`, and to `university` and
 * `universe`.
 * @param word lower-case a–z only
 * @see https://snowballstem.org/algorithms/english/stemmer.html
 */
export function stem(word: string): string {
  if (word.length < 3) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  const marked = markConsonantY(word);
  const region1 = startOfRegion1(marked);
  const region2 = regionAfter(marked, region1);
  let result = removePlural(marked);
  result = removeParticiple(result, region1);
  result = replaceFinalY(result);
  result = replaceSuffix(result, DERIVATIONS, region1);
  result = replaceSuffix(result, ADJECTIVES, result.endsWith('ative') ? region2 : region1);
  if (!result.endsWith('ion') || /[st]ion$/.test(result)) result = replaceSuffix(result, RESIDUES, region2);
  result = removeFinalLetter(result, region1, region2);
  return marked === word ? result : result.toLowerCase();
}

const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ...['andes', 'atlas', 'bias', 'cosmos', 'howe', 'news', 'sky'].map((word) => [word, word] as const),
  ['early', 'earli'],
  ['gently', 'gentl'],
  ['idly', 'idl'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ['skies', 'sky'],
  ['ugly', 'ugli'],
]);

/** Exceptions: region 1 of the algorithm starts after these beginnings of words. The general rule would start it too early. */
const LONG_BEGINNINGS = ['arsen', 'commun', 'emerg', 'gener', 'later', 'organ', 'past', 'univers'] as const;

type Replacement = readonly [suffix: string, replacement: string];

/** Rules of step 2 of the algorithm. */
const DERIVATIONS = rulesOf(
  `ational>ate ization>ize fulness>ful ousness>ous iveness>ive biliti>ble lessli>less tional>tion ousli>ous entli>ent
   aliti>al iviti>ive alism>al ation>ate fulli>ful ogist>og enci>ence anci>ance abli>able izer>ize ator>ate alli>al
   bli>ble ogi>og li>`,
);

/** Rules of step 3 of the algorithm. */
const ADJECTIVES = rulesOf('ational>ate tional>tion alize>al icate>ic iciti>ic ative> ical>ic ness> ful>');

/** Rules of step 4 of the algorithm. */
const RESIDUES = rulesOf(
  'ement> ance> ence> able> ible> ment> ant> ent> ism> ate> iti> ous> ive> ize> ion> al> er> ic>',
);

/** Reads rules `suffix>replacement`. Groups them by the last letter of the suffix: one look-up rejects most words. */
function rulesOf(table: string): ReadonlyMap<string, readonly Replacement[]> {
  const rules = table.split(/\s+/).map((rule) => rule.split('>') as [suffix: string, replacement: string]);
  return Map.groupBy(rules, ([suffix]) => suffix.slice(-1));
}

/** Returns the rule with the longest suffix that the word ends in. Rules must be sorted from long to short suffixes. */
function findRule(word: string, rules: ReadonlyMap<string, readonly Replacement[]>): Replacement | undefined {
  const candidates = rules.get(word.charAt(word.length - 1));
  if (candidates === undefined) return undefined;
  for (const rule of candidates) if (word.endsWith(rule[0])) return rule;
  return undefined;
}

/** Replaces each consonant `y` (first letter, or after a vowel) by `Y`. `stem` changes it back after the rules. */
function markConsonantY(word: string): string {
  if (!word.includes('y')) return word;
  let result = '';
  for (let index = 0; index < word.length; index++) {
    const consonant = word[index] === 'y' && (index === 0 || isVowel(result, index - 1));
    result += consonant ? 'Y' : word[index];
  }
  return result;
}

function isVowel(word: string, index: number): boolean {
  switch (word.charCodeAt(index)) {
    case 97: // a
    case 101: // e
    case 105: // i
    case 111: // o
    case 117: // u
    case 121: // y
      return true;
    default:
      return false;
  }
}

function hasVowel(word: string, end: number): boolean {
  for (let index = 0; index < end; index++) if (isVowel(word, index)) return true;
  return false;
}

function startOfRegion1(word: string): number {
  for (const beginning of LONG_BEGINNINGS) if (word.startsWith(beginning)) return beginning.length;
  return regionAfter(word, 0);
}

/** Returns the index after the first consonant that follows a vowel, searched from `start`. */
function regionAfter(word: string, start: number): number {
  let index = start;
  while (index < word.length && !isVowel(word, index)) index++;
  while (index < word.length && isVowel(word, index)) index++;
  return Math.min(index + 1, word.length);
}

/**
 * Whether a word ends in a short syllable. It does if it ends in consonant, vowel and a consonant other than w, x or Y, if it is
 * only a vowel and a consonant, or if it ends in `past`.
 */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  if (word.endsWith('past')) return true;
  if (last < 1 || isVowel(word, last) || !isVowel(word, last - 1)) return false;
  return last === 1 || (!isVowel(word, last - 2) && !'wxY'.includes(word[last]!));
}

/** Step 1a of the algorithm. */
function removePlural(word: string): string {
  const end = word.length;
  if (word.endsWith('sses')) return word.slice(0, end - 2);
  if (word.endsWith('ies') || word.endsWith('ied')) return word.slice(0, end > 4 ? end - 2 : end - 1);
  if (!word.endsWith('s') || word.endsWith('ss') || word.endsWith('us')) return word;
  return hasVowel(word, end - 2) ? word.slice(0, end - 1) : word;
}

/** Step 1b of the algorithm. */
function removeParticiple(word: string, region1: number): string {
  const plain = word.endsWith('ly') ? word.slice(0, -2) : word;
  if (plain.endsWith('eed')) {
    const rest = plain.slice(0, -3);
    if (rest === 'succ' || rest === 'proc' || rest === 'exc') return word;
    return rest.length >= region1 ? `${rest}ee` : word;
  }
  if (plain.endsWith('ed')) return repairStem(word, plain.slice(0, -2), region1);
  if (!plain.endsWith('ing')) return word;
  const rest = plain.slice(0, -3);
  if (plain === word) {
    if (rest.length === 2 && rest.endsWith('y') && !isVowel(rest, 0)) return `${rest[0]}ie`;
    if (NOT_PARTICIPLES.has(rest)) return word;
  }
  return repairStem(word, rest, region1);
}

const NOT_PARTICIPLES: ReadonlySet<string> = new Set(['even', 'cann', 'inn', 'earr', 'herr', 'out']);

function repairStem(word: string, rest: string, region1: number): string {
  if (!hasVowel(rest, rest.length)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) {
    return rest.length === 3 && 'aeo'.includes(rest[0]!) ? rest : rest.slice(0, -1);
  }
  return rest.length === region1 && endsShort(rest) ? `${rest}e` : rest;
}

/** Step 1c of the algorithm. */
function replaceFinalY(word: string): string {
  const last = word.length - 1;
  if (last < 2 || isVowel(word, last - 1)) return word;
  return word[last] === 'y' || word[last] === 'Y' ? `${word.slice(0, last)}i` : word;
}

function replaceSuffix(
  word: string,
  rules: ReadonlyMap<string, readonly Replacement[]>,
  region: number,
): string {
  const rule = findRule(word, rules);
  if (rule === undefined) return word;
  const end = word.length - rule[0].length;
  if (end < region) return word;
  if (rule[0] === 'li' && !'cdeghkmnrt'.includes(word.charAt(end - 1))) return word;
  if (rule[0] === 'ogi' && word[end - 1] !== 'l') return word;
  return word.slice(0, end) + rule[1];
}

/** Step 5 of the algorithm. */
function removeFinalLetter(word: string, region1: number, region2: number): string {
  const last = word.length - 1;
  if (word[last] === 'l') return last >= region2 && word[last - 1] === 'l' ? word.slice(0, last) : word;
  if (word[last] !== 'e') return word;
  const rest = word.slice(0, last);
  return last >= region2 || (last >= region1 && !endsShort(rest)) ? rest : word;
}
