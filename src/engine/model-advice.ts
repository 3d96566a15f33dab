/** Says when another embedding model would serve better: when most documents are not in English. */
import { looksEnglish } from '../core/text/language-signs.ts';
import { PACKAGED_MODEL } from './config/settings.ts';
import { sample } from './workspace/document-languages.ts';
import type { Workspace } from './workspace/workspace.ts';

/** Documents that are examined, evenly spaced. */
const EXAMINED = 200;

const LANGUAGE =
  ' Words are also found in other forms if docfuse.toml names the folder as a collection with its language, such as language = "de".';

export interface ModelAdvice {
  readonly message: string;
  readonly remedy: string;
}

/** @returns undefined if most documents are in English, or the settings name a model */
export function modelAdvice(workspace: Workspace): ModelAdvice | undefined {
  const { store, catalog, collections } = workspace;
  if (!workspace.advisesModel) return undefined;
  const all = [...catalog().all()];
  const step = Math.ceil(all.length / EXAMINED) || 1;
  const examined = all.filter((_, place) => place % step === 0);
  const others = examined.filter(({ number, title }) => !looksEnglish(`${title}\n${sample(store, number)}`));
  if (others.length * 2 <= examined.length) return undefined;
  const share = Math.round((100 * others.length) / examined.length);
  const namesLanguage = collections.some(({ language }) => language !== 'auto');
  return {
    message: `About ${share} % of the documents are not in English, the language of the model ${PACKAGED_MODEL}: most questions find them by words only.`,
    remedy: `A multilingual model finds them by meaning: docfuse models pull intfloat/multilingual-e5-small (490 MB), then set embedding.multilingual_model = "intfloat/multilingual-e5-small".${namesLanguage ? '' : LANGUAGE}`,
  };
}
