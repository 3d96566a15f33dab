import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { RANKING } from '../../../src/core/model/ranking-constants.ts';
import { curveOf } from '../../../src/core/search/calibrate-candidates.ts';
import { rescore, weightsOf } from '../../../src/core/tune/rescore.ts';
import type { SettingsOverride } from '../../../src/engine/api.ts';
import { loadConfig } from '../../../src/engine/config/config.ts';
import { toSearchSettings } from '../../../src/engine/config/search-settings.ts';
import { readLaneFeatures, tuneSets } from '../../../src/engine/evaluate/tune.ts';
import { open } from '../../../src/engine/open.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();
const indexPath = join(folder, 'index');
const options = { roots: [join(folder, 'set/notes')], indexPath, cwd: folder };

const WORDS =
  'amber birch cedar delta ember fjord grove heron islet joker kayak lilac mango nylon olive pearl'.split(
    ' ',
  );
const QUERIES = [
  ...WORDS,
  'who keeps the heron',
  'the `olive_press` command',
  'section on kayak',
  'ember and fjord',
];

/** Notes in two groups of links; some are new, some hold code; each speaks at length of the next one's subject. */
function note(word: string, place: number): string {
  const next = WORDS[(place + 1) % WORDS.length]!;
  const group = place < 8 ? WORDS.slice(0, 8) : WORDS.slice(8);
  const links = [group[(place + 1) % 8], group[(place + 3) % 8]].map((name) => `[[${name}]]`).join(' and ');
  const code = place % 3 === 0 ? `\n\`\`\`sh\n${word}_press --run\n\`\`\`\n` : '';
  return `# ${word}\n\nThis is about ${word}. See ${links}.\n${code}\n## More\n\n${`The ${next} is ${next}. `.repeat(6)}\n`;
}

beforeAll(async () => {
  const now = Date.now() / 1000;
  for (const [place, word] of WORDS.entries()) {
    const file = join(folder, 'set/notes', `${word}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, note(word, place));
    utimesSync(file, now - place * 3 * 86_400, now - place * 3 * 86_400);
  }
  writeFileSync(
    join(folder, 'set/queries.jsonl'),
    WORDS.map((word) => `${JSON.stringify({ _id: word, text: word })}\n`).join(''),
  );
  writeFileSync(join(folder, 'set/qrels.tsv'), WORDS.map((word) => `${word}\t${word}.md\t1\n`).join(''));
  await using index = await open(options);
  await index.sync();
});

describe('rescoring from features', () => {
  /** Tune weighs without what compares candidates with each other, and without what no weight moves: exact matches. */
  const UNCOMPARED = {
    exact_first_enabled: false,
    max_chunks_per_doc: 1,
    content_dedup_enabled: false,
    ngram_dedup_enabled: false,
  };
  const trials: readonly SettingsOverride['search'][] = [
    {},
    { calibration: 'evidence' },
    { fusion: 'rrf' },
    { keyword_weight: 3, document_weight: 0, title_weight: 5, graph_weight: 2 },
    { keyword_weight: 0.2, graph_weight: 0, code_search_weight: 8, recency_bias: 1 },
    { fusion: 'rrf', graph_weight: 0, keyword_weight: 2, adaptive_weights_enabled: false },
    { advanced: { dynamic_weights_enabled: true, community_boost_factor: 2, graph_depth: 2 } },
  ];

  it.each(trials)('gives the order and the confidence of search under %j', async (trial) => {
    const search = {
      ...UNCOMPARED,
      calibration: 'sigmoid' as const,
      ...trial,
      advanced: { feedback_weight: 0, ...trial?.advanced },
    };
    const given = { ...options, settings: { search } };
    const settings = toSearchSettings(loadConfig(given).settings);
    const features = await readLaneFeatures(QUERIES, { indexPath, open: given });
    await using index = await open(given);
    for (const [place, query] of QUERIES.entries()) {
      const { hits } = await index.search(query, { topN: 100, minConfidence: 0, parents: false });
      const own = features[place]!;
      const rescored = rescore(own, weightsOf(own, settings), settings, 100);
      expect(rescored.documents.map((document) => own.documents[document])).toEqual(
        hits.map(({ path }) => path),
      );
      const { threshold, steepness } = curveOf(settings, RANKING);
      const confidence =
        settings.calibration === 'evidence'
          ? 1 / (1 + Math.exp(-rescored.logit!))
          : 1 / (1 + Math.exp(-steepness * (rescored.absolute! - threshold)));
      expect(confidence).toBeCloseTo(hits[0]!.score, 12);
    }
  });
});

describe('tuneSets', () => {
  const byWeight = { name_weight: 0, exact_first_enabled: false };
  const misled: SettingsOverride = {
    search: { keyword_weight: 5, document_weight: 5, title_weight: 0, ...byWeight },
  };

  it('mends weights that mislead, writes them where asked, and search is better for it', async () => {
    const config = join(folder, 'docfuse.toml');
    const before =
      '# mine\n[search]\nkeyword_weight = 5 # many words\ndocument_weight = 5\ntitle_weight = 0\nname_weight = 0\n';
    writeFileSync(config, before);
    const phases = new Set<string>();
    const tuned = await tuneSets({
      sets: [join(folder, 'set')],
      open: { cwd: folder, indexPath },
      onProgress: ({ phase }) => phases.add(phase),
    });
    expect(tuned.sets).toEqual([{ set: 'set', documents: 16, queries: 16, unanswerable: 0 }]);
    expect(tuned.fusion.supported).toBe(true);
    expect(tuned.toml).toMatch(/^\[search\]\n(.*\n)*title_weight = \d/);
    expect(tuned.written).toBeUndefined();
    expect(readFileSync(config, 'utf8')).toBe(before);
    expect([...phases]).toEqual(expect.arrayContaining(['query', 'fit']));

    const precious = join(folder, 'precious.txt');
    writeFileSync(precious, 'mine');
    symlinkSync(precious, `${config}.${process.pid}.new`);
    const { written } = await tuneSets({
      sets: [join(folder, 'set')],
      open: { cwd: folder, indexPath },
      write: true,
    });
    expect(written).toBe(config);
    expect(readFileSync(precious, 'utf8')).toBe('mine'); // written through no link that waits in the folder
    expect(readFileSync(config, 'utf8')).toMatch(
      /^# mine\n\[search\]\nkeyword_weight = [\d.]+ # many words\n/,
    );
    const first = async (settings: SettingsOverride) => {
      await using index = await open({ ...options, settings });
      const { hits } = await index.search('cedar', { parents: false });
      return hits[0]?.path;
    };
    expect([await first(misled), await first({ search: byWeight })]).toEqual(['birch.md', 'cedar.md']);
  });

  it('fits confidence to the judgements, over logits by default, and search follows', async () => {
    const config = join(folder, 'timid.toml');
    writeFileSync(config, '[search]\nevidence_threshold = 9\n');
    const set = join(folder, 'with-none');
    mkdirSync(set);
    const none = ['price of gold', 'visa for a week in Tokyo', 'who won the cup final', 'mortgage rates'];
    writeFileSync(
      join(set, 'queries.jsonl'),
      readFileSync(join(folder, 'set/queries.jsonl'), 'utf8') +
        none.map((text) => `${JSON.stringify({ _id: text, text, type: 'none' })}\n`).join(''),
    );
    writeFileSync(join(set, 'qrels.tsv'), readFileSync(join(folder, 'set/qrels.tsv')));
    const { calibration, toml } = await tuneSets({
      sets: [set],
      docs: join(folder, 'set/notes'),
      write: true,
      open: { cwd: folder, indexPath, config },
    });
    expect(calibration).toMatchObject({ over: 'evidence', before: { threshold: 9, steepness: 1 } });
    expect(calibration.heldOut.after).toBeLessThan(calibration.heldOut.before);
    expect(toml).toMatch(/^evidence_threshold = -?[\d.]+\nevidence_steepness = [\d.]+$/m);
    await using index = await open({ ...options, config });
    const { hits } = await index.search('cedar', { minConfidence: 0 });
    expect(hits[0]!.score).toBeGreaterThan(0.5);
  });

  it('leaves the configuration alone where nothing is supported', async () => {
    const config = join(folder, 'good.toml');
    writeFileSync(config, '');
    const { fusion, toml, written } = await tuneSets({
      sets: [join(folder, 'set')],
      folds: 2,
      write: true,
      open: { cwd: folder, indexPath, config, settings: { search: { title_weight: 10 } } },
    });
    expect({ supported: fusion.supported, toml, written }).toEqual({
      supported: false,
      toml: '',
      written: undefined,
    });
    expect(readFileSync(config, 'utf8')).toBe('');
  });

  it('writes into the project, never for all collections into the own file of the user', async () => {
    const project = join(folder, 'project');
    const own = join(folder, 'user/docfuse/docfuse.toml');
    for (const file of [own, join(project, 'x')]) mkdirSync(dirname(file), { recursive: true });
    vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'user'));
    const misleading = '[search]\nkeyword_weight = 5\ndocument_weight = 5\ntitle_weight = 0\n';
    const tuneHere = (config?: string) =>
      tuneSets({
        sets: [join(folder, 'set')],
        folds: 2,
        write: true,
        open: { cwd: project, indexPath, ...(config !== undefined && { config }) },
      });
    try {
      // The tests' own docfuse.toml above must not count as the project's.
      const above = join(folder, 'docfuse.toml');
      rmSync(above, { force: true });
      writeFileSync(own, misleading);
      const { written, toml } = await tuneHere();
      expect(written).toBe(join(project, 'docfuse.toml'));
      expect(readFileSync(written!, 'utf8')).toBe(toml);
      expect(readFileSync(own, 'utf8')).toBe(misleading);

      rmSync(written!);
      const withCollection = `collections = [{ path = ${JSON.stringify(project)} }]\n${misleading}`;
      writeFileSync(own, withCollection);
      await expect(tuneHere()).rejects.toMatchObject({
        code: 'config',
        message: expect.stringContaining('With a new one in'),
        remedy: expect.stringContaining(`--config ${own}`),
      });
      expect(readFileSync(own, 'utf8')).toBe(withCollection);
      expect((await tuneHere(own)).written).toBe(own);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('says when there are too few queries', async () => {
    const small = join(folder, 'small');
    mkdirSync(small);
    writeFileSync(join(small, 'queries.jsonl'), '{"_id":"1","text":"amber"}\n');
    writeFileSync(join(small, 'qrels.tsv'), '1\tamber.md\t1\n');
    await expect(
      tuneSets({ sets: [small], docs: join(folder, 'set/notes'), open: { cwd: folder, indexPath } }),
    ).rejects.toMatchObject({
      code: 'judgements',
      message: expect.stringMatching(/^Too few judged queries with a relevant document \(1\)/),
    });
  });
});
