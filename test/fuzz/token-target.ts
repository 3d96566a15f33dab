/** Fuzz target: the tokenizer of the model inside, which reads every passage and every query. */
import fc from 'fast-check';
import { openModelFolder } from '../../src/adapters/onnx/model-folder.ts';
import { createTokenEncoder, type TokenEncoder } from '../../src/adapters/onnx/text-encoder.ts';
import { DEFAULT_MODEL } from '../adapters/onnx/models.ts';
import { arbitraryText } from './arbitrary-text.ts';
import { fuzzTarget } from './fuzz-target.ts';

const model = await openModelFolder(DEFAULT_MODEL);
const { maxTokens } = model.profile;
const PIECES = 30_522;
const [CLASSIFY, SEPARATE] = [101, 102];

export const encodeTokens: TokenEncoder = await createTokenEncoder(model);

/** Between its two marks, no more than the model takes, and nothing that is no piece; the same the second time. */
export const tokensTarget = fuzzTarget(
  'tokens',
  fc.oneof(arbitraryText, fc.string({ unit: 'binary', maxLength: 200 })),
  (text) => {
    const wrong: string[] = [];
    const ids = encodeTokens(text);
    if (ids.length < 2 || ids.length > maxTokens) wrong.push(`there are ${ids.length} tokens`);
    if (ids[0] !== CLASSIFY || ids.at(-1) !== SEPARATE)
      wrong.push(`they begin with ${ids[0]} and end with ${ids.at(-1)}`);
    const strange = ids.find((id) => !Number.isInteger(id) || id < 0 || id >= PIECES);
    if (strange !== undefined) wrong.push(`${strange} is no piece`);
    if (encodeTokens(text).join() !== ids.join()) wrong.push('the second time they are others');
    return wrong;
  },
);
