/** Runs tests of published indexes on each engine: on Qdrant through its bridge, if there is one, and on PostgreSQL in this process. */
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { openPglite } from '../postgres/open-pglite.ts';
import { bridgeMissing, openBridge } from '../qdrant/open-bridge.ts';

export interface Server {
  readonly engine: 'qdrant' | 'postgres';
  /** Address of a publication. */
  readonly at: (name: string) => string;
  /** The settings of the engine. */
  readonly settings: object;
  /** Settings whose address holds a secret. */
  readonly secret: object;
}

/** @param name name of the publication */
export function onEachServer(name: string, tests: (server: Server) => void): void {
  const skipped = bridgeMissing ? `: ${bridgeMissing}` : '';
  describe.skipIf(bridgeMissing)(`an index in Qdrant${skipped}`, async () => {
    if (bridgeMissing) return;
    const bridge = await openBridge();
    afterAll(() => bridge.close());
    tests({
      engine: 'qdrant',
      at: (of) => `${bridge.url.replace('http', 'qdrant')}/${of}`,
      settings: { url: bridge.url, name },
      secret: { url: bridge.url.replace('//', '//me:secret@') },
    });
  });

  describe('an index in PostgreSQL', async () => {
    const pglite = await openPglite();
    afterAll(() => pglite.close());
    beforeAll(() => void vi.stubEnv('DOCFUSE_TEST_PG_PASSWORD', 'right').stubEnv('PGUSER', 'postgres'));
    tests({
      engine: 'postgres',
      at: (of) => `${pglite.url.replace('postgres@', '')}?name=${of}`,
      settings: { url: pglite.url, name, connections: 1, password_env: 'DOCFUSE_TEST_PG_PASSWORD' },
      secret: { url: pglite.url.replace('postgres@', 'me:secret@') },
    });
  });
}
