/**
 * Removes from the vector of a question the part that all questions share. Without this, questions in other languages lie near the
 * same few passages, such as lists of translations, whatever they ask.
 * @see Dinu, Lazaridou and Baroni 2015, "Improving zero-shot learning by mitigating the hubness problem"
 */
import type { Embedder } from '../../core/ports.ts';
import type { StateStore } from '../../core/storage.ts';
import { PLAIN_QUESTIONS } from './plain-questions.ts';

/** Share of the common part that is removed. On 30 questions in five languages, .5 to .8 do equally well. */
const REMOVED = 0.7;

/** Embeds the plain questions and saves their mean, if this model has none yet. */
export async function notePlainQuestions(store: StateStore, embedder: Embedder): Promise<void> {
  if (store.getState('plainQuestions')?.model === embedder.model) return;
  const mean = new Float64Array(embedder.dimensions);
  for (const question of PLAIN_QUESTIONS) {
    const vector = await embedder.embedQuery(question);
    for (let i = 0; i < mean.length; i++) mean[i]! += vector[i]! / PLAIN_QUESTIONS.length;
  }
  store.setState({ plainQuestions: { model: embedder.model, mean: [...mean] } });
}

/** Returns the unit vector of a question without the part that all questions share; the vector itself if that part is unknown. */
export function awayFromPlain(store: StateStore, model: string, vector: Float32Array): Float32Array {
  const known = store.getState('plainQuestions');
  if (known?.model !== model) return vector;
  const moved = vector.map((value, i) => value - REMOVED * (known.mean[i] ?? 0));
  const length = Math.hypot(...moved) || 1;
  return moved.map((value) => value / length);
}
