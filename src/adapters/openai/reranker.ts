/** The Reranker port on any service with Cohere's `/rerank`, such as Jina, Voyage, vLLM, LocalAI and llama.cpp. */
import * as z from 'zod';
import type { Reranker } from '../../core/ports.ts';
import { nonsense, readJson } from '../remote/request.ts';
import { type Endpoint, inOrder, refusal, type ServiceOptions, send } from './endpoint.ts';

const SERVICE = 'The reranking service';

/** The limits are short, because a user waits for the answer. */
const PATIENCE = { timeout: 20_000, attempts: 2, maxPause: 2_000 } as const;

const scores = z.array(z.object({ index: z.int().min(0), relevance_score: z.number() }));
/** Voyage answers with `data`, all others with `results`. */
const answerSchema = z.union([
  z.object({ results: scores }).transform(({ results }) => results),
  z.object({ data: scores }).transform(({ data }) => data),
]);

/**
 * Some services return logits instead of relevances. If a score of an answer is outside of 0–1, all scores of the answer are taken
 * as logits, and the relevance is their sigmoid. The order of the passages is the same.
 */
export function createServiceReranker(options: ServiceOptions): Reranker {
  const endpoint: Endpoint = { ...options, service: SERVICE, prefix: 'search.rerank_' };
  let closing = new AbortController();

  return {
    async score(query, passages, signal) {
      if (passages.length === 0) return [];
      const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      // Services refuse empty texts.
      const documents = passages.map((passage) => passage || ' ');
      const json = { model: options.model, query, documents };
      const answer = await send(endpoint, '/rerank', json, { ...PATIENCE, signal: stop });
      if (!answer.ok) throw await refusal(endpoint, answer);
      const body = await readJson(answer, { service: SERVICE, silence: PATIENCE.timeout, signal: stop });
      const parsed = answerSchema.safeParse(body);
      if (!parsed.success) throw nonsense(SERVICE, 'it holds no scores', parsed.error);
      const indexed = parsed.data.map(({ index, relevance_score }) => [index, relevance_score] as const);
      const found = inOrder(indexed, passages.length);
      if (!found)
        throw nonsense(SERVICE, `it holds ${parsed.data.length} scores for ${passages.length} passages`);
      const areLogits = found.some((score) => score < 0 || score > 1);
      return areLogits ? found.map((logit) => 1 / (1 + Math.exp(-logit))) : found;
    },
    async close() {
      closing.abort();
      closing = new AbortController();
    },
  };
}
