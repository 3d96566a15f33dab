/** Opens an embedding model on the calling thread: takes texts, runs them in batches, and returns unit vectors. */
import { createEncoder, cutTokens } from '../encoding/encode-texts.ts';
import { openTokenizer } from './model-files.ts';
import type { ModelFolder } from './model-folder.ts';
import { loadRuntime, openSession } from './runtime.ts';

/**
 * Opens tokenizer and model. Each run of the model uses and blocks the calling thread only.
 * @param prepack as in `openSession`
 * @throws DocfuseError `runtime_missing`, `model_invalid`
 */
export async function createTextEncoder(model: ModelFolder, prepack = true) {
  const runtime = await loadRuntime();
  const tokenize = await createTokenEncoder(model);
  const session = await openSession(runtime, model.modelFile, prepack);
  return { ...createEncoder(runtime, session, tokenize, model), close: () => session.release() };
}

/** Returns the token ids of a text, with special tokens, cut to the model's longest input. */
export type TokenEncoder = (text: string) => readonly number[];

/** Reads the model's tokenizer. @throws DocfuseError `model_invalid` */
export async function createTokenEncoder(model: ModelFolder): Promise<TokenEncoder> {
  const tokenizer = await openTokenizer(model);
  return (text) => cutTokens(tokenizer.encode(text).ids, model.profile.maxTokens);
}
