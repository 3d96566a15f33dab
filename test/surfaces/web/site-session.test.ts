/** The session of an exported page: when it opens the export again. */
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSiteSession } from '../../../src/surfaces/web/site/site-session.ts';
import { createPlayground } from '../cli/docfuse.ts';
import { NOTES } from './notes.ts';
import { serveFiles } from './serve-files.ts';

test('a question that fails late does not close what another question has opened', async () => {
  using playground = createPlayground(NOTES);
  const { code, stderr } = await playground.run(['export', 'site', 'notes']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const site = join(playground.folder, 'site');
  const { data } = JSON.parse(readFileSync(join(site, 'start.json'), 'utf8')) as { data: string };
  await using files = await serveFiles(site);
  const session = createSiteSession(files.url, []);
  for (const name of ['tags', 'links']) renameSync(join(site, data, name), join(site, data, `${name}-away`));
  const late = session.ask('/api/related', { document: 'notes/backup.md' });
  expect(await session.ask('/api/tags', {})).toMatchObject({ problem: { code: 'away' } });
  const again = session.ask('/api/collections', {});
  expect(await late).toMatchObject({ problem: { code: 'away' } });
  expect(await again).toHaveProperty('answer');
  expect(await session.ask('/api/collections', {})).toHaveProperty('answer');
  expect(files.asked.filter((path) => path === '/start.json')).toHaveLength(2);
});
