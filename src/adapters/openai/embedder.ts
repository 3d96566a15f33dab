/** The Embedder port on any service with OpenAI's `/v1/embeddings`, such as Ollama, LM Studio and OpenAI. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { Embedder } from '../../core/ports.ts';
import { nonsense, readJson } from '../remote/request.ts';
import { addressOf, type Endpoint, inOrder, refusal, type ServiceOptions, send } from './endpoint.ts';

export interface OpenaiEmbedderOptions extends ServiceOptions {
  /** Requested length of the vectors. @default the length that the service chooses; one more request is sent to learn it */
  readonly dimensions?: number | undefined;
  /** Prefix or input type of queries. @default none */
  readonly query?: InputForm;
  /** Prefix or input type of passages. It is part of the identity, because it changes the vectors. @default none */
  readonly passage?: InputForm;
  /** Whether the service is on this machine. @default false */
  readonly isHere?: boolean;
}

/** How a model is told whether a text is a query or a passage: some models expect a prefix, others an `input_type`. */
export interface InputForm {
  /** Put before the text, such as `search_query: `. */
  readonly prefix?: string | undefined;
  /** Sent as `input_type`, such as `query`. */
  readonly inputType?: string | undefined;
}

const SERVICE = 'The embedding service';

/** Max tokens per request, by estimate. A service on a slow machine embeds this number of tokens within the time limit. */
const TOKENS_PER_REQUEST = 8_000;
/** Estimated UTF-8 bytes per token: fewer than in English prose, more than in Chinese. */
const BYTES_PER_TOKEN = 3;
/** Max texts per request: fewer than any service allows. */
const TEXTS_PER_REQUEST = 96;
/** If a text is refused, its first half is sent instead, unless the half has fewer UTF-16 units than this. */
const MIN_TEXT = 200;
/** Status codes for a request that is too long, or that contains a text that the service does not accept. */
const UNFIT = new Set([400, 413, 422]);

/** The limits of a query are short, because a user waits for the answer. Passages are embedded in the background. */
const QUERY = { timeout: 20_000, attempts: 2, maxPause: 2_000 } as const;
const PASSAGES = { timeout: 180_000, attempts: 6, maxPause: 60_000 } as const;

/** JSON has no NaN, so services write null for it. `1e999` is read as Infinity. */
const component = z.custom<number | null>((value) => typeof value === 'number' || value === null);

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.array(component) })),
});

/**
 * The identity of the embedder is the model's name with the number of dimensions and the form of passages. The address of the
 * service is not part of it, because the same model makes the same vectors everywhere.
 * @throws DocfuseError `remote` if the service cannot be used, `config` for a wrong address, `model_invalid` for vectors of
 * another length
 */
export async function createOpenaiEmbedder(options: OpenaiEmbedderOptions): Promise<Embedder> {
  const endpoint: Endpoint = { ...options, service: SERVICE, prefix: 'embedding.' };
  const { host } = addressOf(endpoint, '/embeddings');
  const closing = new AbortController();
  const { query = {}, passage = {} } = options;
  let dimensions = options.dimensions;
  dimensions ??= (await embedOne('dimensions')).length;

  /** Sends one request. Returns a unit vector per text, in order, or why the service did not take all of these texts. */
  async function ask(
    texts: readonly string[],
    { prefix = '', inputType }: InputForm,
    patience: typeof QUERY | typeof PASSAGES,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[] | DocfuseError> {
    const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    const json = {
      model: options.model,
      // Services refuse empty texts.
      input: texts.map((text) => prefix + text || ' '),
      ...(inputType !== undefined && { input_type: inputType }),
      ...(options.dimensions !== undefined && { dimensions: options.dimensions }),
    };
    const answer = await send(endpoint, '/embeddings', json, { ...patience, signal: stop });
    if (!answer.ok) {
      const error = await refusal(endpoint, answer);
      if (UNFIT.has(answer.status)) return error;
      throw error;
    }
    const body = await readJson(answer, { service: SERVICE, silence: patience.timeout, signal: stop });
    const parsed = answerSchema.safeParse(body);
    if (!parsed.success) throw nonsense(SERVICE, 'it holds no embeddings', parsed.error);
    const { data } = parsed.data;
    const indexed = data.map(({ index, embedding }, place) => [index ?? place, embedding] as const);
    const vectors = data.length === texts.length ? inOrder(indexed, texts.length) : undefined;
    if (!vectors) return nonsense(SERVICE, `it holds ${data.length} embeddings for ${texts.length} texts`);
    return vectors.map((vector) => toUnit(vector, dimensions, options.model));
  }

  async function embedOne(text: string): Promise<Float32Array> {
    const answer = await ask([text], query, QUERY);
    if (answer instanceof DocfuseError) throw answer;
    return answer[0]!;
  }

  /** Embeds passages. If the service refuses several texts, sends two halves. If it refuses one text, cuts the text in half. */
  async function embedTaken(
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const answer = await ask(texts, passage, PASSAGES, signal);
    if (!(answer instanceof DocfuseError)) return answer;
    const [first = '', second] = texts;
    if (second !== undefined) {
      const half = Math.ceil(texts.length / 2);
      return [
        ...(await embedTaken(texts.slice(0, half), signal)),
        ...(await embedTaken(texts.slice(half), signal)),
      ];
    }
    const half = Math.ceil(first.length / 2);
    if (half < MIN_TEXT) throw answer;
    return embedTaken([first.slice(0, half).toWellFormed()], signal);
  }

  return {
    model: identityOf({ ...options, dimensions }),
    dimensions,
    ...(!options.isHere && { host }),
    embedQuery: embedOne,
    async embedPassages(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(texts)) vectors.push(...(await embedTaken(batch, signal)));
      return vectors;
    },
    async close() {
      closing.abort();
    },
  };
}

/** Returns the identity of a model, without the length of its vectors if that is not known yet. */
export function identityOf({
  model,
  dimensions,
  passage = {},
}: Pick<OpenaiEmbedderOptions, 'model' | 'dimensions' | 'passage'>): string {
  const { prefix, inputType } = passage;
  const form = `${prefix ? ` prefix ${prefix}` : ''}${inputType ? ` input_type ${inputType}` : ''}`;
  return `openai:${model}${dimensions === undefined ? '' : `@${dimensions}`}${form}`;
}

/** Yields the texts in groups for one request each. */
function* batchesOf(texts: readonly string[]): Iterable<readonly string[]> {
  let [batch, tokens]: [string[], number] = [[], 0];
  for (const text of texts) {
    const size = Buffer.byteLength(text) / BYTES_PER_TOKEN;
    if (batch.length === TEXTS_PER_REQUEST || (batch.length > 0 && tokens + size > TOKENS_PER_REQUEST)) {
      yield batch;
      [batch, tokens] = [[], 0];
    }
    batch.push(text);
    tokens += size;
  }
  if (batch.length > 0) yield batch;
}

function toUnit(
  vector: readonly (number | null)[],
  expected: number | undefined,
  model: string,
): Float32Array {
  if (expected !== undefined && vector.length !== expected) {
    throw new DocfuseError(
      'model_invalid',
      `${model} gave a vector of ${vector.length} dimensions instead of ${expected}.`,
      `Set embedding.dimensions to ${vector.length}, or choose a model that can shorten its vectors.`,
    );
  }
  const length = Math.hypot(...(vector as number[]));
  if (!vector.every(Number.isFinite) || length === Number.POSITIVE_INFINITY) {
    throw new DocfuseError(
      'remote',
      `${SERVICE} computes vectors with ${model} that are not made of finite numbers.`,
      'Let the service run the model in a higher precision, or set embedding.model to another model.',
    );
  }
  if (length === 0) throw nonsense(SERVICE, 'a vector has the length 0');
  return Float32Array.from(vector as number[], (component) => component / length);
}
