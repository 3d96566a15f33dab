import { afterAll, describe, test } from 'vitest';
import { retrievalContract } from '../../contracts/retrieval-contract.ts';
import { bridgeMissing, openBridge } from '../../support/qdrant/open-bridge.ts';
import { publishedRetrieval } from '../../support/qdrant/publish-memory.ts';

/** Filling a collection takes a tenth of a second; `CONTRACT_SHARE=1` draws as many as for an index in memory. */
const COST = { share: Number(process.env.CONTRACT_SHARE ?? 0.25), timeout: 900_000 };

const bridge = bridgeMissing === undefined ? await openBridge({ indexes: false }) : undefined;
afterAll(() => bridge?.close());

if (bridge)
  retrievalContract('Qdrant through the bridge', (files) => publishedRetrieval(bridge.url, files), COST);
else test.skip(`the contract of retrieval over Qdrant’s engine: ${bridgeMissing}`, () => {});

const server = process.env.QDRANT_URL;
if (server) retrievalContract('Qdrant at QDRANT_URL', (files) => publishedRetrieval(server, files), COST);
else
  describe.skip('the contract of retrieval at a Qdrant server: QDRANT_URL is not set', () =>
    test('asks', () => {}));
