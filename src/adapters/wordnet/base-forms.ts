/** The forms under which a dictionary may list an inflected English word. */

export type PartOfSpeech = 'noun' | 'verb' | 'adj' | 'adv';

/**
 * Returns the word, then the word without endings, in the order to try. Uses WordNet's rules of detachment (morphy). The package
 * lacks WordNet's lists of irregular forms, so `mice` does not find `mouse`.
 */
export function baseForms(word: string, part: PartOfSpeech): readonly string[] {
  const forms = ENDINGS[part]
    .filter(([ending]) => word.endsWith(ending) && word.length > ending.length + 1)
    .map(([ending, replacement]) => word.slice(0, word.length - ending.length) + replacement);
  return [word, ...forms];
}

const ENDINGS: Readonly<Record<PartOfSpeech, readonly (readonly [string, string])[]>> = {
  noun: [
    ['s', ''],
    ['ses', 's'],
    ['xes', 'x'],
    ['zes', 'z'],
    ['ches', 'ch'],
    ['shes', 'sh'],
    ['men', 'man'],
    ['ies', 'y'],
  ],
  verb: [
    ['s', ''],
    ['ies', 'y'],
    ['es', 'e'],
    ['es', ''],
    ['ed', 'e'],
    ['ed', ''],
    ['ing', 'e'],
    ['ing', ''],
  ],
  adj: [
    ['er', ''],
    ['est', ''],
    ['er', 'e'],
    ['est', 'e'],
  ],
  adv: [],
};
