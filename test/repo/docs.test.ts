/** Documentation is true: links lead somewhere, generated pages are current, examples print what they show. */
import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { maskNumbers, pagesWithExamples, readPage, runExamples } from '../../scripts/console-examples.ts';
import { drawTerminal, TERMINAL_IMAGE } from '../../scripts/draw-terminal.ts';
import { referencePages } from '../../scripts/generate-reference.ts';
import { RANKING } from '../../src/core/model/ranking-constants.ts';
import { calibrateCandidates } from '../../src/core/search/calibrate-candidates.ts';
import { STAGES } from '../../src/core/search/stages.ts';
import { initialState, type SearchRequest, type SearchServices } from '../../src/core/search/state.ts';
import { weighLanes } from '../../src/core/search/weigh-lanes.ts';
import { toSearchSettings } from '../../src/engine/config/search-settings.ts';
import { settingsSchema } from '../../src/engine/config/settings.ts';
import type { Operation } from '../../src/surfaces/operations/operation.ts';
import { operations } from '../../src/surfaces/operations/operations.ts';
import { brokenLinks } from './check-links.ts';
import { missingNames } from './check-names.ts';
import { projectPaths, projectSources, readProjectFile } from './project-files.ts';

const paths = projectPaths();
const pages = paths
  .filter((path) => path.endsWith('.md') && !/(^|\/)fixtures\//.test(path))
  .map((path) => ({ path, text: readProjectFile(path) }));

describe('the list of stages', () => {
  it('in the explanation is that of the code', () => {
    const [, chain = ''] =
      /```text\n([\s\S]*?)```/.exec(readProjectFile('docs/explain/how-search-works.md')) ?? [];
    const names = chain.split('→').map((name) => name.trim());
    expect(names).toEqual(['parse', ...STAGES.map(({ name }) => name)]);
  });
});

test('the changelog of the first version fits on a screen', () => {
  expect(readProjectFile('CHANGELOG.md').split(/\s+/).length).toBeLessThan(500);
});

describe('links', () => {
  it('of all pages lead to files and headings that exist', () => {
    expect(brokenLinks(pages, paths)).toEqual([]);
  });

  it.each([
    ['a file that is not there', '[x](gone.md)', 'gone.md'],
    ['a heading that is not there', '[x](b.md#gone)', 'b.md#gone'],
    ['a heading of the page itself that is not there', '[x](#gone)', '#gone'],
    ['a picture that is not there', '![x](gone.svg)', 'gone.svg'],
    ['a way out of the repository', '[x](../../c.md)', '../../c.md'],
  ])('are reported when they lead to %s', (_, text, target) => {
    const planted = [
      { path: 'docs/a.md', text },
      { path: 'docs/b.md', text: '# B' },
    ];
    expect(brokenLinks(planted, ['docs/a.md', 'docs/b.md'])).toEqual([`docs/a.md: ${target}`]);
  });

  it('to headings follow the usual spelling', () => {
    const text =
      '# 1. `Every` lane, in *units*!\n\n# Twice\n\n# Twice\n\n[a](#1-every-lane-in-units) [b](#twice-1)';
    expect(brokenLinks([{ path: 'a.md', text }], ['a.md'])).toEqual([]);
  });
});

describe('paths and commands', () => {
  const { scripts } = JSON.parse(readProjectFile('package.json')) as { scripts: Record<string, string> };
  const commands = (operations as readonly Operation[]).map(({ name, cli }) => cli?.command?.[0] ?? name);
  const names = {
    paths,
    scripts: Object.keys(scripts),
    commands: [...commands, 'help', 'completion', 'serve', 'open', 'mcp', 'worker'],
  };

  it('that a page names are there', () => {
    const told = pages.filter(({ path }) => !/^(bench\/results|test\/quality\/corpus)\//.test(path));
    expect(missingNames(told, names)).toEqual([]);
  });

  it.each([
    ['a file', '`src/gone.ts`', 'src/gone.ts'],
    ['a file below src', '`core/gone.ts`', 'core/gone.ts'],
    ['a choice of folders', '`test/{repo,gone}/x.ts`', 'test/{repo,gone}/x.ts'],
    ['a script', 'Say `npm run gone`.', 'npm run gone'],
    ['a command', '```sh\ndocfuse gone x\n```', 'docfuse gone'],
  ])('are reported: %s', (_, text, name) => {
    expect(missingNames([{ path: 'a.md', text }], names)).toEqual([`a.md: ${name}`]);
  });
});

const SETTING_TABLES = [
  'src/engine/config/settings.ts',
  'src/engine/config/without-untrusted.ts',
  'src/core/model/search-settings.ts',
];

describe('the reference', () => {
  it.each(referencePages())('$path is what `npm run generate` writes', ({ path, text }) => {
    expect(readProjectFile(path)).toBe(text);
  });

  it('has a section for every operation', () => {
    const page = readProjectFile('docs/reference/commands.md');
    for (const { name, cli } of operations as readonly Operation[]) {
      if (cli?.optionOf) expect(page).toContain(`--${cli.optionOf.field}`);
      else expect(page).toContain(`\n## ${(cli?.command ?? [name]).join(' ')}\n`);
    }
  });

  it('has a row with a meaning for every setting, and some code reads it', () => {
    const page = readProjectFile('docs/reference/settings.md');
    const all = projectSources().filter(({ path }) => path.startsWith('src/'));
    // Without the tables of settings, which hold every name.
    const readers = all.filter(({ path }) => !SETTING_TABLES.includes(path));
    expect(readers).toHaveLength(all.length - SETTING_TABLES.length);
    const sources = readers.map(({ source }) => source).join('\n');
    for (const name of settingNames(z.toJSONSchema(settingsSchema, { io: 'input' }))) {
      expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\|.*\\| [^|]+\\. \\|$`, 'm'));
      const camelCase = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      expect(sources, `nothing reads ${name}`).toMatch(new RegExp(`\\b(${name}|${camelCase})\\b`));
    }
  });
});

/** Names of all settings, those of sections inside sections, too. */
function settingNames(schema: z.core.JSONSchema.BaseSchema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    typeof each === 'object' && each.properties ? settingNames(each) : [name],
  );
}

describe('the page on scores', () => {
  const page = readProjectFile('docs/explain/scores.md');

  it('states the weights of the absolute score that are in force', () => {
    const { absolute } = weighLanes('hybrid', SETTINGS, { semantic: true, code: true }, RANKING);
    for (const [lane, weight] of Object.entries(absolute)) {
      expect(page).toMatch(new RegExp(`^\\| ${lane}\\b[^|]* \\| ${weight} \\|$`, 'm'));
    }
  });

  it('shows the curve that is in force', () => {
    const numbers = (row: string): readonly number[] =>
      (new RegExp(`^\\| ${row} ((?:\\| [\\d.]+ )+)\\|$`, 'm').exec(page)?.[1] ?? '')
        .match(/[\d.]+/g)
        ?.map(Number) ?? [];
    const confidences = numbers('absolute score').map((score) => Number(confidenceOf(score).toFixed(2)));
    expect(confidences.length).toBeGreaterThan(3);
    expect(confidences).toEqual(numbers('confidence'));
  });
});

describe('examples', () => {
  it.each(pagesWithExamples())(
    '%s shows what its commands print, numbers apart',
    (page) => {
      const text = readPage(page);
      expect(maskNumbers(runExamples(text))).toBe(maskNumbers(text));
    },
    120_000,
  );

  it('of a terminal is drawn from what it prints, numbers apart', () => {
    const masked = (image: string) => image.replaceAll(/0\.\d\d/g, '#');
    expect(masked(drawTerminal())).toBe(masked(readPage(TERMINAL_IMAGE)));
  }, 120_000);

  it('would be found out if they showed something else', () => {
    const text = '```console\n$ docfuse --version\n1.2 or so\n```\n';
    expect(maskNumbers(runExamples(text))).not.toBe(maskNumbers(text));
  });
});

/** The defaults, in the core's spelling. */
const SETTINGS = toSearchSettings(settingsSchema.parse({}));

function confidenceOf(absolute: number): number {
  const request: SearchRequest = {
    query: {
      text: '',
      plain: '',
      terms: [],
      words: [],
      phrases: [],
      required: [],
      excludedTerms: [],
      excludedPhrases: [],
      filters: {},
    },
    mode: 'hybrid',
    topN: 5,
    parents: false,
    minConfidence: 0,
    filters: {},
    explain: false,
    settings: { ...SETTINGS, calibration: 'sigmoid' },
    now: 0,
  };
  const candidate = {
    slot: 0,
    id: '',
    document: 0,
    place: 0,
    fused: 0,
    absolute,
    score: 0,
    explanation: [],
  };
  return (
    calibrateCandidates({ ...initialState(request), candidates: [candidate] }, {} as SearchServices)
      .candidates[0]?.score ?? Number.NaN
  );
}
