import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Index } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import { checkExplanation } from '../support/check-explanation.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const folder = sharedFolder({
  'tokens.md': '# Tokens\n\nRotate a token with care. See [[backups]].\n',
  'backups.md': '# Backups\n\nEvery night, to a second disk.\n\n```ts\nrunBackup(now)\n```\n',
});
let index: Index;
beforeAll(async () => {
  index = await open({ roots: [folder], indexPath: join(folder, '.index') });
  await index.sync();
});
afterAll(() => index?.close());

test('explanations by the real model add up, too', async () => {
  for (const query of ['how do I rotate a token', 'runBackup', 'second disk']) {
    const { hits, weights } = await index.search(query, { explain: true, minConfidence: 0 });
    expect(hits.length).toBeGreaterThan(0);
    for (const { explanation, score } of hits) {
      expect(explanation!.value).toBe(score);
      expect(checkExplanation(explanation!, weights)).toEqual([]);
    }
  }
});
