/** The Reranker port on ONNX Runtime: a cross-encoder reads query and passage together and scores the passage's relevance. */
import type { Tokenizer } from '@huggingface/tokenizers';
import { DocfuseError } from '../../core/errors.ts';
import type { Reranker } from '../../core/ports.ts';
import { createFeeds, INPUTS, packBatches, type TokenRow } from '../encoding/model-inputs.ts';
import { findModelFiles, openTokenizer } from './model-files.ts';
import { loadRuntime, openSession, type Session, usualThreads } from './runtime.ts';

export interface OnnxRerankerOptions {
  /** Folder of the model: `tokenizer.json`, `model_quantized.onnx` or `model.onnx`, `config.json`. */
  readonly folder: string;
  /** Name that the user gave, for errors. @default the folder */
  readonly name?: string;
}

/** Cross-encoders are trained on inputs up to this length, even those whose files allow more. */
const MAX_TOKENS = 512;

/** Maximum padded tokens per run, which limits memory. The default ten candidates always fit; more may need several runs. */
const TOKENS_PER_RUN = 8_192;

const OUTPUT = 'logits';
const REMEDY =
  'Set search.rerank_model to a folder with the tokenizer.json, config.json and model.onnx of a cross-encoder, or switch reranking off with --set rerank_enabled=false.';

/**
 * Makes a reranker that opens the model at the first `score`. The relevance is the sigmoid of one logit, or the softmax of the
 * second of two logits. If the model already ends in a sigmoid, the second sigmoid does not change the order of passages.
 */
export function createOnnxReranker(options: OnnxRerankerOptions): Reranker {
  let opening: ReturnType<typeof openModel> | undefined;

  function opened() {
    opening ??= openModel(options).catch((error) => {
      // Try again at the next call: the user may add missing files without a restart.
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    async score(query, passages, signal) {
      throwIfAborted(signal);
      if (passages.length === 0) return [];
      const model = await opened();
      const pairs = model.encode(query, passages);
      const scores = new Array<number>(pairs.length);
      const runs = packBatches(
        pairs.map(({ ids }) => ids.length),
        TOKENS_PER_RUN,
      );
      for (const run of runs) {
        throwIfAborted(signal);
        const relevances = await scoreBatch(
          model,
          run.map((index) => pairs[index]!),
        );
        run.forEach((index, row) => {
          scores[index] = relevances[row]!;
        });
      }
      return scores;
    },
    async close() {
      const model = await opening?.catch(() => undefined);
      opening = undefined;
      await model?.session.release();
    },
  };
}

type OpenModel = Awaited<ReturnType<typeof openModel>>;

async function openModel({ folder, name = folder }: OnnxRerankerOptions) {
  const files = await findModelFiles(folder, { kind: 'reranking', name, remedy: REMEDY });
  const runtime = await loadRuntime();
  const tokenizer = await openTokenizer(files);
  const session = await openSession(runtime, files.modelFile, usualThreads());
  const reason = whyUnsuitable(session);
  if (reason !== undefined) {
    await session.release();
    throw unsuitable(files.modelFile, reason);
  }
  const encode = createPairEncoder(tokenizer, Math.min(MAX_TOKENS, files.maxInputLength));
  return { runtime, session, files, encode };
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

async function scoreBatch(
  { runtime, session, files }: OpenModel,
  pairs: readonly TokenRow[],
): Promise<number[]> {
  const feeds = createFeeds(runtime, session, pairs, files.padId);
  const result = await session.run(feeds, [OUTPUT]);
  const logits = result[OUTPUT]!.data as Float32Array;
  const classes = logits.length / pairs.length;
  if (classes !== 1 && classes !== 2) {
    throw unsuitable(files.modelFile, tooManyClasses(classes));
  }
  // The softmax of two logits is the sigmoid of their difference.
  return pairs.map((_, row) =>
    sigmoid(classes === 1 ? logits[row]! : logits[2 * row + 1]! - logits[2 * row]!),
  );
}

function unsuitable(file: string, reason: string): DocfuseError {
  return new DocfuseError('model_invalid', `${file} is not a cross-encoder: ${reason}.`, REMEDY);
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new DocfuseError('aborted', 'Reranking was stopped.', 'Search again to get an answer.');
  }
}

/** Turns one query and each passage into the tokens that a cross-encoder reads. */
type PairEncoder = (query: string, passages: readonly string[]) => readonly TokenRow[];

/**
 * Truncates the longer text, like the reference tokenizers with `longest_first`. The query is cut only if it has more than half
 * of the tokens.
 * @param maxTokens longest pair, special tokens included
 */
function createPairEncoder(tokenizer: Tokenizer, maxTokens: number): PairEncoder {
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

  return (query, passages) => {
    const queryIds = encode(query);
    return passages.map((passage) => {
      const passageIds = encode(passage);
      const left = Math.min(queryIds.length, Math.max(room - passageIds.length, Math.ceil(room / 2)));
      const right = Math.min(passageIds.length, room - left);
      const [one, other] = [new Array(left).fill(types[start]), new Array(right).fill(types[resume])];
      return {
        ids: replaceTexts(probe.ids, queryIds.slice(0, left), passageIds.slice(0, right)),
        types: replaceTexts(types, one, other),
      };
    });
  };
}
