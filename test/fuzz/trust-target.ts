/** Fuzz target: configuration files that were found, and that the user has not trusted. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import fc from 'fast-check';
import { DocfuseError } from '../../src/core/errors.ts';
import { type Config, loadConfig } from '../../src/engine/config/config.ts';
import { placeOfModel } from '../../src/engine/config/model-place.ts';
import { modelsFolder, packagedModels, userConfigFolder } from '../../src/engine/config/places.ts';
import { PACKAGED_MODEL, settingsSchema } from '../../src/engine/config/settings.ts';
import { MARKS } from './arbitrary-text.ts';
import { type FuzzTarget, fuzzTarget } from './fuzz-target.ts';

const KEYS = [
  ...['base_url', 'api_key_env', 'provider', 'model', 'dimensions', 'rerank_model', 'index_path', 'path'],
  ...['host', 'port', 'allowed_hosts', 'allowed_origins', 'token_env', 'top_n', 'name', 'kind', 'trust'],
];
const SECTIONS = ['embedding', 'answer', 'server', 'search', '[collections]', 'embedding.x', '"answer"'];
const TEXTS = [
  ...['http://127.0.0.1:9/v1', 'https://evil.example', 'openai', 'local', 'AWS_SECRET', 'LANG', '0.0.0.0'],
  ...['.', '..', '../..', 'docs', 'docs/..', 'docs/../..', 'out', 'out/x', 'docs/out', '/', '/etc', '~', ''],
  ...['model', './model', 'org/model', 'org/other', '..\\x', 'a/..', PACKAGED_MODEL, 'localhost', 'git', 'a'],
];

const text = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...TEXTS) }, fc.string({ maxLength: 8 }));
/** The same text in each way that TOML has to write it. */
const written = fc.tuple(text, fc.nat(3)).map(([value, form]) => {
  if (form === 0 && !/['\n\r]/.test(value)) return `'${value}'`;
  if (form === 1 && /^[\w./ ]*$/.test(value)) return `"""${value}"""`;
  if (form === 2)
    return `"${[...value].map((each) => `\\U${each.codePointAt(0)!.toString(16).padStart(8, '0')}`).join('')}"`;
  return JSON.stringify(value);
});
const value = fc.oneof(
  { weight: 8, arbitrary: written },
  written.map((each) => `[${each}]`),
  fc.constantFrom('1', '3', 'true', '[]', '{}', ...MARKS),
);
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...KEYS) },
  fc
    .tuple(fc.constantFrom('embedding', 'answer', 'server', 'search'), fc.constantFrom(...KEYS))
    .map((names) => names.join('.')),
  fc.constantFrom(...KEYS).map((name) => JSON.stringify(name)),
  fc
    .constantFrom(...KEYS)
    .map((name) => `"\\u${name.codePointAt(0)!.toString(16).padStart(4, '0')}${name.slice(1)}"`),
);
const pair = fc.tuple(key, value).map((parts) => parts.join(' = '));
const line = fc.oneof(
  { weight: 6, arbitrary: pair },
  { weight: 3, arbitrary: fc.constantFrom(...SECTIONS).map((section) => `[${section}]`) },
  fc
    .tuple(fc.constantFrom('embedding', 'answer', 'server', 'search'), pair)
    .map(([section, inner]) => `${section} = { ${inner} }`),
  written.map((path) => `collections = [{ path = ${path} }]`),
  written.map((path) => `[[collections]]\npath = ${path}`),
);
/** What a user's own file says, in place of the defaults. */
const OWN = '[embedding]\nprovider = "openai"\nbase_url = "https://mine.example"\napi_key_env = "MINE"\n';

const input = fc.record({
  toml: fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n')),
  own: fc.constantFrom('', OWN),
});

export const trustTarget: FuzzTarget = {
  name: 'trust',
  async run(options) {
    const work = realpathSync(mkdtempSync(join(tmpdir(), 'docfuse-fuzz-')));
    const before = { ...process.env };
    Object.assign(process.env, { HOME: work, APPDATA: work, XDG_CONFIG_HOME: work, XDG_DATA_HOME: work });
    try {
      const project = join(work, 'clone');
      for (const folder of ['docs', 'model', 'org/model'])
        mkdirSync(join(project, folder), { recursive: true });
      for (const link of ['out', 'docs/out']) symlinkSync(work, join(project, link));
      const own = join(userConfigFolder(), 'docfuse.toml');
      mkdirSync(dirname(own), { recursive: true });
      const target = fuzzTarget('trust', input, (files) => {
        writeFileSync(own, files.own);
        writeFileSync(join(project, 'docfuse.toml'), files.toml);
        try {
          return wrongIn(loadConfig({ cwd: project }, {}), project, files.own);
        } catch (error) {
          if (!(error instanceof DocfuseError)) throw error;
          return [];
        }
      });
      await target.run(options);
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
      rmSync(work, { recursive: true });
    }
  },
};

/** What a file that is not trusted has decided, though only the user may. */
function wrongIn(config: Config, project: string, own: string): readonly string[] {
  const { embedding, answer, server, search } = config.settings;
  const plain = settingsSchema.parse({});
  const isMine = own !== '';
  const mine = isMine
    ? { provider: 'openai', base_url: 'https://mine.example', api_key_env: 'MINE' }
    : plain.embedding;
  const held: readonly (readonly [string, unknown, unknown])[] = [
    ['embedding.base_url', embedding.base_url, mine.base_url],
    ['embedding.api_key_env', embedding.api_key_env, mine.api_key_env],
    ['answer.base_url', answer.base_url, undefined],
    ['answer.api_key_env', answer.api_key_env, plain.answer.api_key_env],
    ['server.token_env', server.token_env, plain.server.token_env],
    ['server.allowed_hosts', server.allowed_hosts.length, 0],
    ['server.allowed_origins', server.allowed_origins.length, 0],
    ['index_path', config.indexPath, undefined],
  ];
  return [
    ...held.flatMap(([name, is, should]) => (is === should ? [] : [`${name} is ${is}`])),
    ...(embedding.provider === 'local' || isMine ? [] : ['a service is asked']),
    ...(/^(localhost|127\.|::1)/i.test(server.host) ? [] : [`it listens on ${server.host}`]),
    ...[embedding.model, search.rerank_model].flatMap((model) =>
      namesFolder(model, project) ? [`${model} is loaded from a folder`] : [],
    ),
    ...config.collections.flatMap(({ root }) => {
      const real = realpathSync(root);
      return real === project || real.startsWith(`${project}/`) ? [] : [`${root} is read`];
    }),
  ];
}

/** Whether what would be loaded for it is there, and is neither of the package nor pulled. */
function namesFolder(model: string, project: string): boolean {
  const { folder } = placeOfModel(model, project);
  const stores = [packagedModels(), modelsFolder()];
  return existsSync(folder) && !stores.some((store) => folder === store || folder.startsWith(store + sep));
}
