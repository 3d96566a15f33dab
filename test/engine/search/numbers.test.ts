import { expect, test } from 'vitest';
import { PACKAGED_MODEL } from '../../../src/engine/config/settings.ts';
import { createVault } from '../vault.ts';

test('a digit tells apart what is numbered', async () => {
  const vault = createVault(
    {
      'one.md': '# Phase 1 of the rollout\n\nIn this phase we move the accounts of the staff.\n',
      'two.md': '# Phase 2 of the rollout\n\nIn this phase we move the accounts of customers.\n',
      'three.md': '# Phase 3 of the rollout\n\nIn this phase we delete the old service.\n',
    },
    PACKAGED_MODEL,
  );
  const index = await vault.open();
  await index.sync();
  const { hits, unsure } = await index.search('Phase 2');
  expect(hits[0]).toMatchObject({ path: 'two.md', confidence: 'high' });
  expect([...hits.slice(1), ...unsure].every(({ confidence }) => confidence !== 'high')).toBe(true);
  const { hits: nearly } = await index.search('customers in phase 3');
  expect(nearly.map(({ path, confidence }) => `${path} ${confidence}`)).not.toContain('two.md high');
  expect((await index.search('"phase 3"')).hits.map(({ path }) => path)).toEqual(['three.md']);
  expect((await index.search('phase -"phase 2"')).hits.map(({ path }) => path)).not.toContain('two.md');
});

test('the digit that numbers a heading or a title need not be asked for', async () => {
  const filler = 'Gulls follow the boats, and the boats follow the tide.\n\n';
  const vault = createVault(
    {
      'boats.md': `# Boats\n\n${filler.repeat(3)}## 2. The harbour master\n\nAsk at the office.\n\n## 3. Other things\n\n${filler.repeat(3)}`,
      'tides.md': `---\ntitle: 4. Spring tides\n---\n\n${filler.repeat(3)}`,
      'other.md': `# What the harbour master says of the moon, of wind and of spring tides\n\n${filler.repeat(3)}`,
    },
    PACKAGED_MODEL,
  );
  const index = await vault.open();
  await index.sync();
  for (const [query, path] of [
    ['the harbour master', 'boats.md'],
    ['2. the harbour master', 'boats.md'],
    ['spring tides', 'tides.md'],
  ] as const) {
    const { hits } = await index.search(query);
    expect([query, hits[0]?.path, hits[0]?.confidence]).toEqual([query, path, 'high']);
  }
});

test('a version is found with and without its letter, and one that is nowhere is not surely another', async () => {
  const filler = 'The agent writes its log to a file, and a second process reads it.\n\n'.repeat(3);
  const section = (version: string) => `## ${version}\n\n${filler}`;
  const vault = createVault(
    {
      'changes.md': `# Changes\n\n${['v1.2.3', 'v1.2.2', 'v1.10.0'].map(section).join('')}`,
      'upgrading.md': `# Upgrading to 2.0\n\nA release changed what changed in the file. ${filler}`,
    },
    PACKAGED_MODEL,
  );
  const index = await vault.open();
  await index.sync();
  for (const query of ['what changed in 1.2.2', 'v1.2.2', '"1.2.2"']) {
    const { hits } = await index.search(query);
    expect([query, hits[0]?.headingPath.at(-1), hits[0]?.confidence]).toEqual([query, 'v1.2.2', 'high']);
  }
  const { hits, unsure, notice } = await index.search('what changed in v9.9.9');
  expect(notice).toContain('No passage contains “9.9.9”');
  expect([...hits, ...unsure].every(({ confidence }) => confidence !== 'high')).toBe(true);
});

test('a name with underscores is found at its own line, and one that is nowhere is not surely another', async () => {
  const vault = createVault(
    {
      'protocol.md':
        '# Pelmet protocol\n\nFrames follow each other.\n\n```python\ndef encode_frame(seq):\n    raise PelmetFrameTooLong(seq)\n```\n\n`E_PELMET_0x2F` means the sequence number went backwards.\n',
      'ledger.md': '# Ledger\n\nThe limit of a table is `ledger_max_rows`, and its relay has queues.\n',
    },
    PACKAGED_MODEL,
  );
  const index = await vault.open();
  await index.sync();
  const first = async (query: string) => {
    const [hit] = (await index.search(query)).hits;
    return `${hit?.path}:${hit?.line} ${hit?.confidence}`;
  };
  expect(await first('E_PELMET_0x2F')).toBe('protocol.md:10 high');
  expect(await first('what does E_PELMET_0x2F mean')).toBe('protocol.md:10 high');
  expect(await first('encode_frame')).toBe('protocol.md:6 high');
  expect(await first('ledger_max_rows')).toBe('ledger.md:3 high');
  expect(await first('ledger_min_rows')).toBe('ledger.md:3 fair');
});

test('signs without a word list nothing, whatever the filters', async () => {
  const vault = createVault({ 'a.md': '# Goats\n' }, PACKAGED_MODEL);
  const index = await vault.open();
  await index.sync();
  for (const query of ['🐐', '?!', '""']) {
    const { hits, notice } = await index.search(query, { filters: { path: ['a.md'] } });
    expect([hits, notice]).toEqual([[], 'The query holds no words to search for.']);
  }
  expect((await index.search('  ', { filters: { path: ['a.md'] } })).hits).toHaveLength(1);
});
