/** Capabilities of an embedding provider, so that callers check a capability and not the provider's name. */

import type { Settings } from './settings.ts';
import { isLoopback } from './web-names.ts';

export interface EmbeddingTraits {
  /** Whether another program makes the vectors, so that docfuse has no model file to open. */
  readonly isService: boolean;
  /** Whether a model name always stands for the same vectors. False for a service: it may replace the model behind a name. */
  readonly fixedIdentity: boolean;
  /** Whether embedding is free, so that texts may be embedded before anyone searches. */
  readonly free: boolean;
  readonly staysOnThisMachine: boolean;
  /** Settings that decide where texts are sent, and which vectors are requested. */
  readonly destination: readonly (keyof Settings['embedding'])[];
}

export function embeddingTraits({
  provider,
  base_url,
}: Pick<Settings['embedding'], 'provider' | 'base_url'>): EmbeddingTraits {
  switch (provider) {
    case 'local':
      return {
        isService: false,
        fixedIdentity: true,
        free: true,
        staysOnThisMachine: true,
        destination: ['provider', 'dimensions'],
      };
    case 'openai':
      return {
        isService: true,
        fixedIdentity: false,
        free: false,
        staysOnThisMachine: isLoopback(URL.parse(base_url ?? '')?.hostname ?? ''),
        destination: [
          ...(['provider', 'base_url', 'api_key_env', 'model', 'dimensions'] as const),
          ...(['query_prefix', 'passage_prefix', 'query_input_type', 'passage_input_type'] as const),
        ],
      };
  }
}
