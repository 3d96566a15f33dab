/** Opens a cross-encoder on the calling thread. This model reads query and passage together and scores the passage's relevance. */
import type { Tokenizer } from '@huggingface/tokenizers';
import { DocfuseError } from '../../core/errors.ts';
import type { Around } from '../encoding/encode-texts.ts';
import { createFeeds, INPUTS, packBatches, type Session, type TokenRow } from '../encoding/model-inputs.ts';
import { type ModelFiles, openTokenizer } from './model-files.ts';
import { loadRuntime, openSession } from './runtime.ts';

/** Cross-encoders are trained on inputs up to this length, even those whose files allow more. */
const MAX_TOKENS = 512;

/** Maximum padded tokens per run, which limits memory. The default ten candidates always fit; more may need several runs. */
const TOKENS_PER_RUN = 8_192;

const OUTPUT = 'logits';

/** What to do if a folder has no cross-encoder. */
export const REMEDY =
  'Set search.rerank_model to a folder with the tokenizer.json, config.json and model.onnx of a cross-encoder, or switch reranking off with --set rerank_enabled=false.';

/** Writes a pair as one text, because threads of a pool take texts. */
export function pairText(query: string, passage: string): string {
  return JSON.stringify([query, passage]);
}

/**
 * Opens tokenizer and model. If the model returns one logit, the relevance is its sigmoid. If it returns two, the relevance is
 * the softmax of the second. If the model already ends in a sigmoid, a second sigmoid does not change the order of passages.
 * @throws DocfuseError `runtime_missing`, `model_invalid`
 */
export async function openCrossEncoder(files: ModelFiles) {
  const runtime = await loadRuntime();
  const tokenizer = await openTokenizer(files);
  const session = await openSession(runtime, files.modelFile);
  const reason = whyUnsuitable(session);
  if (reason !== undefined) {
    await session.release();
    throw unsuitable(files.modelFile, reason);
  }
  const encodePair = createPairEncoder(tokenizer, Math.min(MAX_TOKENS, files.maxInputLength));

  async function scoreBatch(pairs: readonly TokenRow[]): Promise<number[]> {
    const feeds = createFeeds(runtime, session, pairs, files.padId);
    const result = await session.run(feeds, [OUTPUT]);
    const logits = result[OUTPUT]!.data as Float32Array;
    const classes = logits.length / pairs.length;
    if (classes !== 1 && classes !== 2) throw unsuitable(files.modelFile, tooManyClasses(classes));
    // The softmax of two logits is the sigmoid of their difference.
    return pairs.map((_, row) => {
      const logit = classes === 1 ? logits[row]! : logits[2 * row + 1]! - logits[2 * row]!;
      return 1 / (1 + Math.exp(-logit));
    });
  }

  return {
    /**
     * Returns the relevance of each pair, 0–1, in order.
     * @param texts as `pairText` writes them
     * @param around wraps each run of the model
     */
    async encode(texts: readonly string[], around: Around): Promise<Float32Array<ArrayBuffer>> {
      const pairs = texts.map((text) => encodePair(...(JSON.parse(text) as [string, string])));
      const relevances = new Float32Array(pairs.length);
      const lengths = pairs.map(({ ids }) => ids.length);
      for (const batch of packBatches(lengths, TOKENS_PER_RUN)) {
        const scores = await around(() => scoreBatch(batch.map((index) => pairs[index]!)));
        for (const [row, index] of batch.entries()) relevances[index] = scores[row]!;
      }
      return relevances;
    },
  };
}

/**
 * Returns why the model cannot rerank; undefined if it can. A cross-encoder returns one or two numbers per pair. Some models
 * do not state this count in the shape of their output; then only a run shows it.
 */
function whyUnsuitable(session: Session): string | undefined {
  const stranger = session.inputNames.find((input) => !INPUTS.includes(input));
  if (stranger !== undefined) return `it needs an input "${stranger}"`;
  const output = session.outputMetadata.find(({ name }) => name === OUTPUT);
  if (!output?.isTensor) return `its outputs are ${session.outputNames.join(', ')}`;
  if (output.shape.length !== 2) return `its logits have ${output.shape.length} dimensions instead of 2`;
  const classes = output.shape[1];
  return typeof classes === 'number' && classes > 2 ? tooManyClasses(classes) : undefined;
}

function tooManyClasses(classes: number): string {
  return `it has ${classes} classes instead of 1 or 2`;
}

function unsuitable(file: string, reason: string): DocfuseError {
  return new DocfuseError('model_invalid', `${file} is not a cross-encoder: ${reason}.`, REMEDY);
}

/**
 * Makes a function that turns query and passage into the tokens that a cross-encoder reads. Truncates the longer text, like the
 * reference tokenizers with `longest_first`. The query is cut only if it has more than half of the tokens.
 * @param maxTokens longest pair, special tokens included
 */
function createPairEncoder(tokenizer: Tokenizer, maxTokens: number) {
  const encode = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  // Models differ in the places of special tokens and in token types. Encoding a probe shows both.
  const probe = tokenizer.encode('a', { text_pair: 'b', return_token_type_ids: true });
  const types = probe.token_type_ids;
  const [first, second] = [encode('a'), encode('b')];
  const start = probe.ids.indexOf(first[0]!);
  const resume = probe.ids.lastIndexOf(second[0]!);
  const replaceTexts = (inProbe: readonly number[], query: readonly number[], passage: readonly number[]) => [
    ...inProbe.slice(0, start),
    ...query,
    ...inProbe.slice(start + first.length, resume),
    ...passage,
    ...inProbe.slice(resume + second.length),
  ];
  const room = Math.max(2, maxTokens - (probe.ids.length - first.length - second.length));

  return (query: string, passage: string): TokenRow => {
    const [queryIds, passageIds] = [encode(query), encode(passage)];
    const left = Math.min(queryIds.length, Math.max(room - passageIds.length, Math.ceil(room / 2)));
    const right = Math.min(passageIds.length, room - left);
    const [one, other] = [new Array(left).fill(types[start]), new Array(right).fill(types[resume])];
    return {
      ids: replaceTexts(probe.ids, queryIds.slice(0, left), passageIds.slice(0, right)),
      types: replaceTexts(types, one, other),
    };
  };
}
