import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Index, SearchOptions, SettingsOverride } from '../../src/engine/api.ts';
import { open } from '../../src/engine/open.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { writeFiles } from '../support/write-files.ts';

const TOKENS =
  'To rotate a token, open the settings page and press Rotate. The old token stays valid for one hour, so that every ' +
  'deployment can be changed without haste, and nobody is locked out while the change is on its way to all machines.';
const SECRETS =
  'Secrets live in the vault. A token is read from there when a service starts, and read again every ten minutes, so ' +
  'that a rotated token reaches all services without a restart. Nothing is written to disk, and nothing is logged.';
const section = (title: string, text: string) => `## ${title}\n\n${text}\n\n`;
const files: Readonly<Record<string, string>> = {
  'guide.md': `# Guide\n\n${section('Rotation', TOKENS)}${section('Vault', SECRETS)}`,
  'copy/guide.md': `# Guide\n\n${section('Rotation', TOKENS)}`,
  'draft.md': `# Guide\n\n${section('Rotation', TOKENS.replace('without haste', 'with no haste'))}`,
  'other.md': `# Tokens of bread\n\nA token in a board game is a small thing of wood. Rotate it by hand.\n`,
  'empty-a.md': '---\ntitle: Token list\n---\n',
  'empty-b.md': '---\ntitle: Token index\n---\n',
};

const folder = sharedFolder();
const lines = (path: string, from: number, to: number) =>
  readFileSync(join(folder, 'notes', path), 'utf8')
    .split('\n')
    .slice(from - 1, to)
    .join('\n');

async function openIndex(search: SettingsOverride['search'] = {}): Promise<Index> {
  return open({ roots: [join(folder, 'notes')], indexPath: join(folder, 'index'), settings: { search } });
}
async function ask(
  options: SearchOptions,
  search?: SettingsOverride['search'],
  query = 'rotate a token',
): ReturnType<Index['search']> {
  await using index = await openIndex(search);
  return await index.search(query, { mode: 'keyword', minConfidence: 0, topN: 20, ...options });
}

beforeAll(async () => {
  writeFiles(join(folder, 'notes'), files);
  await using index = await openIndex();
  await index.sync();
});

/** Copies stay, as they must where a test is about something else. */
const off = { content_dedup_enabled: false, ngram_dedup_enabled: false };

describe('duplicates', () => {
  test('are merged into the best of them, which names them, and counted stage by stage', async () => {
    const plain = await ask({ parents: false }, off);
    const { hits, stats } = await ask({ parents: false });
    const rotation = plain.hits.filter(({ text }) => text.includes('press Rotate'));
    expect(rotation).toHaveLength(3);
    const [best] = hits.filter(({ text }) => text.includes('press Rotate'));
    expect(best?.chunkId).toBe(rotation[0]?.chunkId);
    const places = rotation.slice(1).map(({ chunkId, documentId, path, startLine }) => {
      return { chunkId, documentId, path, startLine };
    });
    expect(best?.merged).toHaveLength(2);
    expect(best?.merged).toEqual(expect.arrayContaining(places));
    for (const { path, startLine } of best?.merged ?? []) {
      expect(lines(path, startLine, startLine + 2)).toContain('Rotation');
    }
    const { originalCount } = stats;
    expect(stats).toEqual({
      originalCount,
      afterThreshold: originalCount,
      afterContentDedup: originalCount - 1,
      afterNgramDedup: originalCount - 2,
      afterSemanticDedup: originalCount - 2,
      afterDocumentLimit: originalCount - 2,
      afterParents: originalCount - 2,
      clustersMerged: 1,
    });
  });

  test.each([[{}], [{ dedup_enabled: true, dedup_similarity_threshold: 0.6, max_chunks_per_doc: 1 }]])(
    'are counted by numbers that never rise from stage to stage, with %j',
    async (search) => {
      await using index = await openIndex(search);
      for (const parents of [true, false]) {
        for (const minConfidence of [0, 0.5]) {
          const options: SearchOptions = { parents, minConfidence, topN: 100 };
          const answers = [
            await index.search('rotate a token', options),
            await index.search('path:guide.md', options),
            await index.searchWithHypothesis(TOKENS, options),
          ];
          const narrowed = answers.map(({ stats }) => stats.afterFilters);
          expect(narrowed).toEqual([undefined, expect.any(Number), undefined]);
          for (const { stats, hits } of answers) {
            const { clustersMerged, ...counts } = stats;
            const left = Object.values(counts);
            expect(left).toEqual(left.toSorted((a, b) => b - a));
            expect(hits).toHaveLength(stats.afterParents);
            expect(clustersMerged).toBeGreaterThanOrEqual(hits.filter(({ merged }) => merged).length);
            expect(clustersMerged).toBeLessThanOrEqual(stats.afterThreshold - stats.afterSemanticDedup);
          }
        }
      }
    },
  );

  test('of a hypothesis are counted as those of a question are', async () => {
    await using index = await openIndex();
    const { hits, stats } = await index.searchWithHypothesis(TOKENS, { minConfidence: 0, parents: false });
    const { originalCount } = stats;
    expect(hits[0]?.merged).toHaveLength(2);
    expect(stats).toMatchObject({
      afterThreshold: originalCount,
      afterContentDedup: originalCount - 1,
      afterNgramDedup: originalCount - 2,
      afterParents: originalCount - 2,
      clustersMerged: 1,
    });
  });

  test('are counted as clusters whether or not the answer shows them', async () => {
    const { hits, stats } = await ask({ parents: false, topN: 1 }, {}, 'rotate wood by hand');
    expect(hits.map(({ path, merged }) => [path, merged])).toEqual([['other.md', undefined]]);
    expect(stats.clustersMerged).toBe(1);
  });

  test('that are switched off leave the answer alone', async () => {
    const { hits, stats } = await ask({ parents: false }, off);
    expect(hits.every(({ merged }) => merged === undefined)).toBe(true);
    expect(stats.afterNgramDedup).toBe(stats.originalCount);
  });

  test('are explained: what was merged, and how alike it is', async () => {
    const { hits } = await ask({ parents: false, explain: true });
    const [best] = hits.filter(({ merged }) => merged !== undefined);
    const parts =
      best?.explanation?.parts?.filter(({ label }) => label.startsWith('duplicates merged')) ?? [];
    expect(parts.map(({ label, value }) => [label, value])).toEqual([
      ['duplicates merged, by same text', 1],
      ['duplicates merged, by shared trigrams', 1],
    ]);
    expect(parts[0]?.parts?.[0]?.value).toBe(1);
    expect(parts[1]?.parts?.[0]?.value).toBeGreaterThan(0.85);
    expect(parts.flatMap(({ parts: twins = [] }) => twins.map(({ label }) => label)).sort()).toEqual(
      best?.merged?.map(({ chunkId }) => chunkId).sort(),
    );
  });

  test('are not documents without text', async () => {
    const { hits } = await ask({}, {}, 'token list index');
    expect(hits.map(({ path }) => path)).toEqual(expect.arrayContaining(['empty-a.md', 'empty-b.md']));
  });

  test('in meaning are merged when asked for', async () => {
    const options: SearchOptions = { parents: false, explain: true };
    const plain = await ask(options, off);
    const { hits, stats } = await ask(options, {
      ...off,
      dedup_enabled: true,
      dedup_similarity_threshold: 0.9,
    });
    expect(stats.afterSemanticDedup).toBeLessThan(stats.afterNgramDedup);
    expect(stats.clustersMerged).toBe(hits.filter(({ merged }) => merged).length);
    const [best] = hits;
    // The copy of the section about rotation and its draft, but neither the vault nor the bread.
    expect(best?.path).toBe(plain.hits[0]?.path);
    const places = [best!, ...(best?.merged ?? [])].map(({ path }) => path);
    expect(places.toSorted()).toEqual(['copy/guide.md', 'draft.md', 'guide.md']);
    const part = best?.explanation?.parts?.find(({ label }) => label === 'duplicates merged, by cosine');
    expect(part?.parts?.map(({ label }) => label)).toEqual(best?.merged?.map(({ chunkId }) => chunkId));
    for (const { value } of part?.parts ?? []) expect(value).toBeGreaterThanOrEqual(0.9);
    // Every passage found is a hit or was merged into one, once.
    const told = hits.flatMap(({ chunkId, merged = [] }) => [chunkId, ...merged.map((each) => each.chunkId)]);
    expect(told.toSorted()).toEqual(plain.hits.map(({ chunkId }) => chunkId).sort());
  });
});

describe('MMR', () => {
  const mmr = { ...off, mmr_enabled: true };

  test('puts what is new before the copies of the best, and confidence still never rises', async () => {
    const { hits } = await ask({ parents: false, explain: true }, { ...mmr, mmr_lambda: 0.3 });
    const copies = hits.slice(0, 3).filter(({ text }) => text.includes('press Rotate'));
    expect(copies).toHaveLength(1);
    for (const [index, hit] of hits.entries())
      expect(hit.score).toBeLessThanOrEqual(hits[index - 1]?.score ?? 1);
    const part = hits[1]?.explanation?.parts?.find(({ label }) => label === 'MMR');
    const sum = part?.parts?.reduce((total, { value, weight = 1 }) => total + value * weight, 0);
    expect(sum).toBeCloseTo(part?.value ?? Number.NaN, 12);
    for (const { score, explanation } of hits) {
      const [place] = explanation?.parts ?? [];
      expect(place).toMatchObject({ label: 'confidence after MMR', value: score });
      expect(Math.min(...(place?.parts?.map(({ value }) => value) ?? []))).toBe(score);
    }
  });

  test('with λ 1 keeps the order, and takes λ from the type of the query when told to', async () => {
    // Of each document the first passage: without MMR, the others stand below those of other documents.
    const ids = async (search: SettingsOverride['search']) => {
      const { hits } = await ask({ parents: false }, search);
      return [...Map.groupBy(hits, ({ path }) => path).values()].map(([first]) => first?.chunkId);
    };
    const plain = await ids({ ...mmr, mmr_enabled: false, max_chunks_per_doc: 0 });
    expect(await ids({ ...mmr, mmr_lambda: 1 })).toEqual(plain);
    expect(await ids({ ...mmr, mmr_lambda: 1, mmr_by_query_type: true })).not.toEqual(plain);
  });
});

describe('parents', () => {
  test('take the place of their chunks, one hit each, with the lines of the best chunk marked', async () => {
    const children = await ask({ parents: false }, off);
    const { hits } = await ask({}, off);
    const of = (path: string) => (hit: { readonly path: string }) => hit.path === path;
    const [first] = children.hits.filter(of('guide.md'));
    const found = hits.filter(of('guide.md'));
    expect(children.hits.filter(of('guide.md'))).toHaveLength(2);
    expect(found).toHaveLength(1);
    const [hit] = found;
    expect(hit).toMatchObject({
      chunkId: first?.chunkId,
      score: first?.score,
      snippet: first?.snippet,
      matchedLines: [first?.startLine, first?.endLine],
    });
    expect(hit?.text).toBe(files['guide.md']);
    expect(hit?.text.trim()).toBe(lines('guide.md', hit!.startLine, hit!.endLine));
    expect(hit?.text).toContain(lines('guide.md', ...hit!.matchedLines!));
  });

  test('fill the answer: the first n of a longer answer are the answer for n', async () => {
    const { hits } = await ask({ topN: 20 });
    for (let n = 1; n <= hits.length; n++) expect((await ask({ topN: n })).hits).toEqual(hits.slice(0, n));
  });

  test('are counted, and the answer is filled while there are any', async () => {
    const { hits, stats } = await ask({}, { ...off, max_chunks_per_doc: 0 });
    expect(stats.afterParents).toBeLessThan(stats.afterDocumentLimit);
    expect(hits).toHaveLength(stats.afterParents);
    const first = await ask({ topN: 2 }, { ...off, max_chunks_per_doc: 0 });
    expect(first.hits).toEqual(hits.slice(0, 2));
    expect(first.stats).toEqual(stats);
  });

  test('that hold an excluded word are not shown: the passage stands for itself', async () => {
    const { hits } = await ask({}, off, 'rotate a token -vault');
    expect(hits.length).toBeGreaterThan(2);
    for (const { text } of hits) expect(text.toLowerCase()).not.toContain('vault');
    const [guide] = hits.filter(({ path }) => path === 'guide.md');
    expect(guide).toMatchObject({ text: expect.stringContaining('press Rotate') });
    expect(guide?.matchedLines).toBeUndefined();
  });
});
