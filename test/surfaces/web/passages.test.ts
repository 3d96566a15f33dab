/** Passages on the page: the snippets of hits, and those similar to what is read. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { NOTES } from './notes.ts';
import { inBrowser, note, type ServedPage, servePage, settled } from './serve-page.ts';

const KETTLE = `# Kettles

| step | what |
| --- | --- |
| 9\\. whistle | \\*twice\\* |

${'Water is heated slowly until it moves. '.repeat(9)}Then the lid of pewter rattles. ${'Nobody is in the kitchen by then. '.repeat(9)}
`;

let served: ServedPage;
beforeAll(async () => {
  served = (await servePage({ ...NOTES, 'notes/kettle.md': KETTLE }))!;
}, 60_000);
afterAll(() => served?.[Symbol.asyncDispose]());

inBrowser(
  `a snippet is rendered, with its marks, but without links and headings of its own${note}`,
  async () => {
    const page = await served.tab('/?q=rotate+a+token+settings');
    await settled(page);
    const snippet = page.locator('.hit .snippet', { hasText: 'in the settings' });
    expect(await snippet.locator('em mark').textContent()).toBe('Rotate');
    expect(await snippet.textContent()).toContain('see backup.');
    expect(await page.locator('.snippet').locator('a, h1, h2, [id]').count()).toBe(0);
    await page.getByRole('searchbox').fill('snapshots 30');
    const row = page.locator('.hit .snippet', { hasText: 'snapshots' }).first();
    await row.locator('mark', { hasText: '30' }).first().waitFor();
    expect(await row.textContent()).not.toContain('---');
    await page.context().close();
  },
);

inBrowser(
  `passages similar to the marked lines are listed, by words where there are no vectors${note}`,
  async () => {
    const page = await served.tab('/?q=a+token+expires&doc=notes/bread.md&lines=3-3');
    const similar = page.getByRole('region', { name: 'Similar passages' });
    const lines: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/related')) lines.push(request.postDataJSON().document);
    });
    await page.reload();
    await similar.getByText('Similar to the marked lines').waitFor();
    expect([...new Set(lines)]).toEqual(['notes/bread.md:3-3']);
    const first = await similar.locator('li > a').first().textContent();
    await similar.locator('li').first().getByText('Preview').click();
    await similar.locator('.preview p', { hasText: 'Knead' }).first().waitFor();
    await similar.locator('li > a').first().click();
    await page.locator('.pane .marked').first().waitFor();
    expect(page.url()).toContain('doc=notes%2Fcopy%2Fbread.md&lines=');
    await page.route('**/api/related', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, similar: [] } });
    });
    await page.goto(`${served.url}/?doc=notes/bread.md&lines=3-3`);
    await similar.locator('li > a', { hasText: first! }).first().waitFor();
    await page.context().close();
  },
);

inBrowser(`a snippet shows where its passage goes on, and no backslashes of escapes${note}`, async () => {
  const page = await served.tab('/?q=lid+of+pewter&mode=keyword');
  const snippet = page.locator('.hit .snippet').first();
  await snippet.locator('mark', { hasText: 'pewter' }).waitFor();
  expect((await snippet.textContent())!.trim()).toMatch(/[^…] …$/);
  await page.getByRole('searchbox').fill('bread flour salt');
  await page.locator('.hit .snippet', { hasText: 'Flour, water, salt.' }).first().waitFor();
  expect((await snippet.textContent())!.trim()).toMatch(/rest overnight\.$/);
  await page.getByRole('searchbox').fill('whistle');
  await page.locator('.hit .snippet', { hasText: '9. whistle | *twice*' }).waitFor();
  await page.context().close();
});

inBrowser(
  `related documents that could not be read are asked for again, and follow the index${note}`,
  async () => {
    const page = await served.tab('/healthz');
    const problem = { code: 'storage', detail: 'The disk is full.', remedy: 'Make room.' };
    await page.route('**/api/related', (route) => route.fulfill({ status: 500, json: problem }));
    await page.goto(`${served.url}/?doc=notes/backup.md`);
    const related = page.locator('.related');
    await related.getByRole('alert').getByText('The disk is full. Make room.').waitFor();
    await page.unroute('**/api/related');
    await related.getByRole('button', { name: 'Try again' }).click();
    await related.getByRole('region', { name: 'Linked from' }).getByText('Tokens').waitFor();
    writeFileSync(join(served.playground.folder, 'notes/tape.md'), '# Tapes\n\nSee [[backup]].\n');
    await related.getByRole('region', { name: 'Linked from' }).getByText('Tapes').waitFor();
    await page.context().close();
  },
);
