/** The table of layers: who may import whom. ARCHITECTURE.md shows the same as a picture. */

export interface Layer {
  readonly name: string;
  /** A path from the repository's root; a folder ends in `/`. The longest match wins. */
  readonly path: string;
  /** Names of the layers it may import, besides itself. */
  readonly imports: readonly string[];
  /** Its folders do not know each other. */
  readonly apart?: boolean;
  /** Its folders, each with those of them it may import; files beside the folders are for all, and may import all. */
  readonly rooms?: Readonly<Record<string, readonly string[]>>;
}

const NOUNS = ['model', 'errors', 'steps'] as const;
const CORE_SIBLINGS = [
  'graph',
  'markdown',
  'chunk',
  'indexes',
  'query',
  'rank',
  'lanes',
  'evaluate',
] as const;
const ENGINE = [
  ...(['engine', 'open', 'open-models', 'open-indexes', 'open-sites', 'open-worker'] as const),
  'evaluation',
] as const;
const PORTS = ['ports', 'storage', 'retrieval-port'] as const;
const CORE = [
  ...[...NOUNS, 'text', ...PORTS, ...CORE_SIBLINGS],
  ...(['retrieval', 'fragments', 'search', 'tune', 'core'] as const),
] as const;

/** From the nouns outwards; siblings of core do not import each other, except as written here with the reason. */
export const LAYERS: readonly Layer[] = [
  { name: 'errors', path: 'src/core/errors.ts', imports: [] },
  { name: 'steps', path: 'src/core/steps.ts', imports: [] },
  { name: 'model', path: 'src/core/model/', imports: [] },
  { name: 'text', path: 'src/core/text/', imports: NOUNS },
  { name: 'ports', path: 'src/core/ports.ts', imports: NOUNS },
  { name: 'storage', path: 'src/core/storage.ts', imports: [...NOUNS, 'ports'] },
  { name: 'retrieval-port', path: 'src/core/retrieval/retrieval.ts', imports: [...NOUNS, 'ports'] },
  { name: 'markdown', path: 'src/core/markdown/', imports: [...NOUNS, 'text'] },
  { name: 'chunk', path: 'src/core/chunk/', imports: [...NOUNS, 'text'] },
  { name: 'query', path: 'src/core/query/', imports: [...NOUNS, 'text'] },
  { name: 'indexes', path: 'src/core/indexes/', imports: [...NOUNS, 'text', ...PORTS] },
  { name: 'graph', path: 'src/core/graph/', imports: [...NOUNS, 'text'] },
  { name: 'rank', path: 'src/core/rank/', imports: [...NOUNS, 'text'] },
  { name: 'evaluate', path: 'src/core/evaluate/', imports: [...NOUNS, 'text'] },
  // What each lane is: its modes, its weight, its scale.
  {
    name: 'lanes',
    path: 'src/core/lanes/',
    imports: [...NOUNS, 'text', 'retrieval-port', 'indexes', 'rank'],
  },
  // The one implementation of that port here: it compiles filters, and asks the indexes lane by lane.
  {
    name: 'retrieval',
    path: 'src/core/retrieval/',
    imports: [...NOUNS, 'ports', 'retrieval-port', 'graph', 'indexes', 'query', 'lanes'],
  },
  // Cuts word indexes into files, and is a second implementation of the port over what is loaded of them.
  {
    name: 'fragments',
    path: 'src/core/fragments/',
    imports: [...NOUNS, 'text', ...PORTS, 'indexes', 'query', 'retrieval'],
  },
  // Ranking knows no index: what it wants to know of passages, it asks the retrieval.
  {
    name: 'search',
    path: 'src/core/search/',
    imports: [...NOUNS, 'text', ...PORTS, ...CORE_SIBLINGS.filter((name) => name !== 'indexes')],
  },
  // Weights are tried on what search itself computes, and judged by its measures.
  { name: 'tune', path: 'src/core/tune/', imports: [...NOUNS, 'rank', 'lanes', 'evaluate', 'search'] },
  {
    name: 'core',
    path: 'src/core/',
    imports: [...NOUNS, 'text', ...PORTS, ...CORE_SIBLINGS, 'retrieval', 'fragments', 'search'],
  },
  // What all services over HTTP share: time limits, patience, failures in plain words.
  { name: 'remote', path: 'src/adapters/remote/', imports: NOUNS },
  // What an open model reads and gives, the same in Node and in a browser.
  { name: 'encoding', path: 'src/adapters/encoding/', imports: NOUNS },
  // What all engines of published indexes share: what is sent, what is loaded, and how it is scored.
  { name: 'publication', path: 'src/adapters/published/', imports: CORE },
  {
    name: 'adapters',
    path: 'src/adapters/',
    imports: [...CORE, 'remote', 'encoding', 'publication'],
    apart: true,
  },
  {
    name: 'engine',
    path: 'src/engine/',
    imports: CORE,
    rooms: {
      config: [],
      workspace: [],
      search: ['workspace'],
      documents: ['workspace', 'search'],
      watch: ['workspace'],
      sync: ['workspace', 'watch'],
      export: ['workspace', 'documents'],
    },
  },
  // Opens models for it: those kept on this machine, and services in their place.
  {
    name: 'open-models',
    path: 'src/engine/open-models.ts',
    imports: [...NOUNS, 'ports', 'engine', 'adapters'],
  },
  // Indexes on servers: publishes to them, and answers from them.
  {
    name: 'published',
    path: 'src/engine/published/',
    imports: [...CORE, 'engine', 'publication', 'adapters'],
  },
  // Reads in threads, which load their languages themselves.
  { name: 'readers', path: 'src/engine/readers/', imports: [...CORE, 'engine', 'adapters'] },
  // The indexes kept on this machine, as files and not as open indexes.
  { name: 'open-indexes', path: 'src/engine/open-indexes.ts', imports: [...NOUNS, 'engine', 'adapters'] },
  // The web sites kept on this machine, as folders of Markdown.
  {
    name: 'open-sites',
    path: 'src/engine/open-sites.ts',
    imports: [...NOUNS, 'ports', 'engine', 'adapters'],
  },
  // Embeds what other machines index, without an index.
  {
    name: 'open-worker',
    path: 'src/engine/open-worker.ts',
    imports: [...NOUNS, 'ports', 'engine', 'open-models', 'adapters'],
  },
  // The composition root: the one file that knows which adapter stands behind which port.
  {
    name: 'open',
    path: 'src/engine/open.ts',
    imports: [...CORE, 'engine', 'open-models', 'readers', 'published', 'adapters'],
  },
  // Measuring opens an index of its own for every judged set. Writers of a set take the lock that indexes have, too.
  { name: 'evaluation', path: 'src/engine/evaluate/', imports: [...CORE, 'engine', 'open', 'open-indexes'] },
  // What assistants keep in which file.
  { name: 'assistants', path: 'src/surfaces/assistants/', imports: NOUNS },
  // What a model thinks aloud is told from its answer by core; the names of the measures are part of what `eval` answers.
  {
    name: 'operations',
    path: 'src/surfaces/operations/',
    imports: [...NOUNS, 'text', 'evaluate', ...ENGINE, 'assistants'],
  },
  // Finding and asking a running server is the same for every surface that may attach to one.
  { name: 'attach', path: 'src/surfaces/attach/', imports: [...NOUNS, ...ENGINE, 'operations'] },
  // The HTTP server offers it at /mcp. What surfaces show is made safe by core.
  { name: 'mcp', path: 'src/surfaces/mcp/', imports: [...NOUNS, 'text', ...ENGINE, 'operations', 'attach'] },
  {
    name: 'surfaces',
    path: 'src/surfaces/',
    imports: [...NOUNS, 'text', ...ENGINE, 'operations', 'attach', 'mcp'],
    apart: true,
  },
  // Runs in a browser: what it takes from elsewhere touches nothing of Node, which its build would refuse.
  {
    name: 'web',
    path: 'src/surfaces/web/',
    imports: [
      ...['model', 'errors', 'text', 'query', 'fragments', 'core', 'encoding'],
      ...['engine', 'operations', 'attach'],
    ],
  },
  // The command line starts the other surfaces, and shows snippets without their Markdown.
  {
    name: 'cli',
    path: 'src/surfaces/cli/',
    imports: [...NOUNS, 'text', 'evaluate', ...ENGINE, 'operations', 'attach', 'mcp', 'surfaces'],
  },
  { name: 'library', path: 'src/index.ts', imports: [...NOUNS, ...ENGINE] },
];

/** Packages that core may use: they compute and touch nothing outside. */
export const PURE_PACKAGES: readonly string[] = ['@noble/hashes', 'markdown-it', 'smol-toml', 'yaml'];
