/** A command in the process of a test prints what it prints in a process of its own, from the package as it is installed. */
import { afterAll, expect, test } from 'vitest';
import { PHASES } from '../../../src/surfaces/operations/labels.ts';
import { operations } from '../../../src/surfaces/operations/operations.ts';
import { BIN, createPlayground } from './docfuse.ts';
import { executeHere, type Outcome } from './execute-here.ts';

const playground = createPlayground({
  'notes/lantern.md': '# Lanterns\n\nHow to light a [lantern](rain.md) in the rain. #sea\n',
  'notes/rain.md': '# Rain\n\nIt rains at sea.\n',
  'set/queries.jsonl': '{"_id": "q1", "text": "light a lantern"}\n{"_id": "q2", "text": "rain at sea"}\n',
  'set/qrels.tsv': 'query-id\tcorpus-id\tscore\nq1\tlantern.md\t2\nq2\train.md\t2\n',
  'docfuse.toml': '[[collections]]\npath = "notes"\n',
});
afterAll(() => playground[Symbol.dispose]());

/** What is typed, by the operation that it runs: one that ends well, and a few that fail. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  index: ['index', '--rebuild', '--quiet'],
  search: ['light a lantern', '--explain', '--min-confidence', '0'],
  'search that finds nothing': ['search', 'zymurgy', '--mode', 'keyword', '--json'],
  search_with_hypothesis: ['search', 'rain', '--hypothesis', 'It rains at sea.'],
  search_everywhere: ['search', 'lantern', '--everywhere', '--mode', 'keyword'],
  ask: ['ask', 'how is a lantern lit'],
  read: ['read', 'lantern.md'],
  'read of a document that is not there': ['read', 'nowhere.md', '--json'],
  related: ['related', 'lantern.md', '--json'],
  list: ['list'],
  list_tags: ['list', 'tags'],
  list_collections: ['list', 'collections'],
  list_judged: ['list', 'judged'],
  graph: ['graph'],
  map: ['map'],
  status: ['status'],
  audit: ['audit'],
  export: ['export', 'site'],
  doctor: ['doctor'],
  formats: ['formats'],
  list_indexes: ['indexes'],
  remove_index: ['indexes', 'rm', 'no such index'],
  add_site: ['add'],
  list_sites: ['sites'],
  remove_site: ['sites', 'rm', 'https://host/docs/'],
  eval: ['eval', 'set', '--docs', 'notes', '--quiet'],
  judge: ['judge', 'light a lantern', '--set-folder', 'set', '--documents', 'lantern.md', '--grades', '2'],
  tune: ['tune', 'set', '--docs', 'notes', '--folds', '2', '--quiet'],
  config: ['config'],
  config_schema: ['config', '--schema'],
  config_init: ['config', 'init'],
  list_models: ['models', 'list'],
  pull_model: ['models', 'pull', 'not a model'],
  remove_model: ['models', 'rm', 'not/there'],
  locate_model: ['models', 'path', 'not/there'],
  mcp_install: ['mcp', 'install', '--client', 'emacs'],
  help: ['help', 'search'],
  version: ['--version'],
  completion: ['completion', 'bash'],
  'no command': ['serach'],
};

test('every operation is run', () => {
  expect(Object.keys(TYPED)).toEqual(expect.arrayContaining(operations.map(({ name }) => name)));
});

const PROGRESS = new RegExp(`^(${Object.values(PHASES).join('|')}) .*\\n`, 'gm');

/** Times and sizes differ between runs, and progress is only told when a run takes long. */
const masked = ({ code, stdout, stderr }: Outcome) => [
  code,
  ...[stdout, stderr].map((text) =>
    text
      .replaceAll(PROGRESS, '')
      .replaceAll(/\d[\d.,]*/g, '#')
      .replaceAll(/ +/g, ' '),
  ),
];

test.each(Object.entries(TYPED))('%s', async (_, args) => {
  const [here, alone] = [await playground.runHere(args), await playground.run(args)];
  expect(masked(here)).toEqual(masked(alone));
});

test('a terminal is told as it is, and nothing of the command stays', async () => {
  const surroundings = () => [
    ...[process.cwd(), process.argv, process.exitCode, process.stdout.isTTY, process.stdout.write],
    ...['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal)),
    { ...process.env },
  ];
  const before = surroundings();
  expect(before).not.toContain(playground.folder);
  const { stdout } = await executeHere([BIN, 'list', 'tags'], {
    ...{ cwd: playground.folder, env: playground.env },
    columns: 40,
  });
  expect(stdout).toContain('\u001b[');
  expect(surroundings()).toEqual(before);
});
