/** Turns a query and passages into the token pairs a cross-encoder reads. */
import type { Tokenizer } from '@huggingface/tokenizers';

/** One query with one passage, special tokens included. */
export interface TokenPair {
  readonly ids: readonly number[];
  /** Which of the two texts a token belongs to; all alike for models that do not tell. */
  readonly types: readonly number[];
}

/** Encodes one query with each passage. */
export type PairEncoder = (query: string, passages: readonly string[]) => readonly TokenPair[];

/**
 * Cuts as the reference tokenizers do under `longest_first`: from the longer of the two texts, so that a query is cut only
 * where it alone takes more than half of the room, and otherwise the passage.
 * @param maxTokens longest pair, special tokens included
 */
export function createPairEncoder(tokenizer: Tokenizer, maxTokens: number): PairEncoder {
  const { before, between, after } = readFrame(tokenizer);
  const special = before.ids.length + between.ids.length + after.ids.length;
  const room = Math.max(2, maxTokens - special);
  const encode = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;

  return (query, passages) => {
    const asked = encode(query);
    return passages.map((passage) => {
      const read = encode(passage);
      const left = Math.min(asked.length, Math.max(room - read.length, Math.ceil(room / 2)));
      const right = Math.min(read.length, room - left);
      return {
        ids: [...before.ids, ...asked.slice(0, left), ...between.ids, ...read.slice(0, right), ...after.ids],
        types: [
          ...before.types,
          ...new Array<number>(left).fill(between.queryType),
          ...between.types,
          ...new Array<number>(right).fill(between.passageType),
          ...after.types,
        ],
      };
    });
  };
}

/** Reads off a probe where a tokenizer puts its special tokens and which types it gives: models differ in both. */
function readFrame(tokenizer: Tokenizer) {
  const { ids, token_type_ids: types } = tokenizer.encode('a', {
    text_pair: 'b',
    return_token_type_ids: true,
  });
  const first = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const second = tokenizer.encode('b', { add_special_tokens: false }).ids;
  const start = ids.indexOf(first[0]!);
  const split = start + first.length;
  const resume = ids.lastIndexOf(second[0]!);
  const end = resume + second.length;
  return {
    before: { ids: ids.slice(0, start), types: types.slice(0, start) },
    between: {
      ids: ids.slice(split, resume),
      types: types.slice(split, resume),
      queryType: types[start]!,
      passageType: types[resume]!,
    },
    after: { ids: ids.slice(end), types: types.slice(end) },
  };
}
