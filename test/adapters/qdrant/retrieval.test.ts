import { afterAll, describe, test } from 'vitest';
import { openQdrant } from '../../../src/adapters/qdrant/engine.ts';
import { retrievalContract } from '../../contracts/retrieval-contract.ts';
import { publishing } from '../../support/published/publish-memory.ts';
import { bridgeMissing, openBridge } from '../../support/qdrant/open-bridge.ts';

/** Filling a collection takes a tenth of a second; `CONTRACT_SHARE=1` draws as many as for an index in memory. */
const COST = {
  share: Number(process.env.CONTRACT_SHARE ?? 0.25),
  timeout: 900_000,
  declares: { wordForms: false },
};

const at = (url: string, exactPassages?: number) =>
  publishing((name) => {
    const place = { url, name, apiKey: process.env.QDRANT_API_KEY, apiKeyEnv: 'QDRANT_API_KEY' };
    return openQdrant(place, {}, exactPassages);
  });

const bridge = bridgeMissing === undefined ? await openBridge({ indexes: false }) : undefined;
afterAll(() => bridge?.close());

if (bridge) {
  retrievalContract('Qdrant through the bridge', at(bridge.url), COST);
  retrievalContract('Qdrant with a graph of vectors', at(bridge.url, 0), {
    ...COST,
    share: COST.share / 10,
    declares: { ...COST.declares, exactVectors: false },
  });
} else test.skip(`the contract of retrieval over Qdrant’s engine: ${bridgeMissing}`, () => {});

const server = process.env.QDRANT_URL;
if (server) retrievalContract('Qdrant at QDRANT_URL', at(server), COST);
else
  describe.skip('the contract of retrieval at a Qdrant server: QDRANT_URL is not set', () =>
    test('asks', () => {}));
