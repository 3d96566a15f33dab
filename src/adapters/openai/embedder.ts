/** The Embedder port on any service with OpenAI's `/v1/embeddings`, such as Ollama, LM Studio and OpenAI. */
import * as z from 'zod';
import { DocfuseError } from '../../core/errors.ts';
import type { Embedder } from '../../core/ports.ts';
import { nonsense, readJson, request } from '../remote/request.ts';
import { addressOf, type Endpoint, headersOf, refusal, type ServiceOptions } from './endpoint.ts';

export interface OpenaiEmbedderOptions extends ServiceOptions {
  /** Requested length of the vectors. @default the length that the service chooses; one more request is sent to learn it */
  readonly dimensions?: number;
}

const SERVICE = 'The embedding service';

/** Max texts per request. A service on a slow machine can embed this many within the time limit. */
const TEXTS_PER_REQUEST = 32;

/** Short limits: a user waits for the answer to a query. Passages are embedded in the background. */
const QUERY = { timeout: 20_000, attempts: 2, maxPause: 2_000 } as const;
const PASSAGES = { timeout: 180_000, attempts: 6, maxPause: 60_000 } as const;

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()) })),
});

/**
 * The identity of the embedder is the model's name with the number of dimensions, without the address of the service: the same
 * model makes the same vectors everywhere.
 * @throws DocfuseError `remote` if the service cannot be used, `config` for a wrong address, `model_invalid` for vectors of
 * another length
 */
export async function createOpenaiEmbedder(options: OpenaiEmbedderOptions): Promise<Embedder> {
  const endpoint: Endpoint = { ...options, service: SERVICE, section: 'embedding' };
  const url = addressOf(endpoint, '/embeddings');
  const closing = new AbortController();
  let dimensions = options.dimensions;
  dimensions ??= (await ask(['dimensions'], QUERY))[0]!.length;

  /** Sends one request. Returns a unit vector per text, in order. */
  async function ask(
    texts: readonly string[],
    patience: typeof QUERY | typeof PASSAGES,
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    const answer = await request({
      ...patience,
      service: SERVICE,
      url,
      headers: headersOf(endpoint),
      json: {
        model: options.model,
        // Services refuse empty texts.
        input: texts.map((text) => (text === '' ? ' ' : text)),
        encoding_format: 'float',
        ...(options.dimensions !== undefined && { dimensions: options.dimensions }),
      },
      signal: stop,
    });
    if (!answer.ok) throw await refusal(endpoint, answer);
    const body = await readJson(answer, { service: SERVICE, silence: patience.timeout, signal: stop });
    const parsed = answerSchema.safeParse(body);
    if (!parsed.success) throw nonsense(SERVICE, 'it holds no embeddings', parsed.error);
    return inOrder(parsed.data.data, texts.length).map((vector) => toUnit(vector, dimensions, options.model));
  }

  return {
    model: `openai:${options.model}@${dimensions}`,
    dimensions,
    async embedQuery(text) {
      return (await ask([text], QUERY))[0]!;
    },
    async embedPassages(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += TEXTS_PER_REQUEST) {
        vectors.push(...(await ask(texts.slice(start, start + TEXTS_PER_REQUEST), PASSAGES, signal)));
      }
      return vectors;
    },
    async close() {
      closing.abort();
    },
  };
}

/** Orders vectors by the numbers of their texts: not all services keep the order. */
function inOrder(data: z.output<typeof answerSchema>['data'], count: number): readonly number[][] {
  const vectors = new Array<number[] | undefined>(count);
  data.forEach(({ index, embedding }, place) => {
    vectors[index ?? place] = embedding;
  });
  if (data.length !== count || vectors.length !== count || vectors.includes(undefined)) {
    throw nonsense(SERVICE, `it holds ${data.length} embeddings for ${count} texts`);
  }
  return vectors as number[][];
}

function toUnit(vector: readonly number[], expected: number | undefined, model: string): Float32Array {
  if (expected !== undefined && vector.length !== expected) {
    throw new DocfuseError(
      'model_invalid',
      `${model} gave a vector of ${vector.length} dimensions instead of ${expected}.`,
      `Set embedding.dimensions to ${vector.length}, or choose a model that can shorten its vectors.`,
    );
  }
  const length = Math.hypot(...vector);
  if (!(length > 0) || length === Number.POSITIVE_INFINITY)
    throw nonsense(SERVICE, 'a vector has the length 0, or no finite length');
  return Float32Array.from(vector, (component) => component / length);
}
