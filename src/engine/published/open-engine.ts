/** Opens the engine that holds a published index: Qdrant or PostgreSQL. */
import { openPostgres } from '../../adapters/postgres/engine.ts';
import type { PublishedEngine } from '../../adapters/published/engine.ts';
import { openQdrant } from '../../adapters/qdrant/engine.ts';
import { type PublishedAddress, withPassword } from '../config/published-address.ts';
import type { Settings } from '../config/settings.ts';

/** @throws DocfuseError `package_missing` if the client package of the engine is not installed */
export function openEngine(
  { engine, url, name }: Pick<PublishedAddress, 'engine' | 'url' | 'name'>,
  settings: Pick<Settings, 'qdrant' | 'postgres'>,
): Promise<PublishedEngine> {
  switch (engine) {
    case 'postgres':
      return openPostgres(withPassword({ url, name }, settings.postgres));
    case 'qdrant': {
      const { api_key_env: apiKeyEnv, shards, replicas, write_consistency } = settings.qdrant;
      const place = { url, name, apiKeyEnv, apiKey: process.env[apiKeyEnv] };
      return openQdrant(place, { shards, replicas, writeConsistency: write_consistency });
    }
  }
}
