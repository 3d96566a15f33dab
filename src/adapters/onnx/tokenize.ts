/** Turns text into the token ids of a model. */
import { Tokenizer } from '@huggingface/tokenizers';
import { DocfuseError } from '../../core/errors.ts';
import { type ModelFiles, readModelJson, readSettings } from './model-files.ts';
import type { ModelFolder } from './model-folder.ts';

/** Token ids of a text with special tokens, cut to the model's longest input. */
export type TokenEncoder = (text: string) => readonly number[];

/** Reads the model's tokenizer. @throws DocfuseError `model_invalid` */
export async function createTokenEncoder(model: ModelFolder): Promise<TokenEncoder> {
  const tokenizer = await openTokenizer(model);
  const { maxTokens } = model.profile;
  return (text) => {
    const { ids } = tokenizer.encode(text);
    // The closing special token stays, as the reference implementation keeps it.
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids[ids.length - 1]!];
  };
}

/** The library's tokenizer for a model's files. @throws DocfuseError `model_invalid` */
export async function openTokenizer({
  tokenizerFile,
  tokenizerConfigFile,
}: Pick<ModelFiles, 'tokenizerFile' | 'tokenizerConfigFile'>): Promise<Tokenizer> {
  const [definition, settings] = await Promise.all([
    readModelJson(tokenizerFile),
    readSettings(tokenizerConfigFile),
  ]);
  try {
    return new Tokenizer(definition, settings);
  } catch (cause) {
    throw new DocfuseError(
      'model_invalid',
      `${tokenizerFile} is not a tokenizer definition.`,
      'Fetch the file again.',
      { cause },
    );
  }
}
