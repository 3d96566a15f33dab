/** Dockerfile and compose.yaml name only what is there: files, commands, options, settings, volumes and secrets. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentSettings } from '../../src/engine/config/config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { projectPaths, readProjectFile } from './project-files.ts';

interface Service {
  readonly build?: string;
  readonly read_only?: boolean;
  readonly hostname?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly profiles?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const text = readProjectFile('compose.yaml');
const compose = parse(text, { merge: true }) as Compose;
const services = Object.entries(compose.services);
/** One instruction a line. */
const dockerfile = readProjectFile('Dockerfile').replaceAll('\\\n', ' ');
const commands = readProjectFile('docs/reference/commands.md');
const manifest = JSON.parse(readProjectFile('package.json')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};

/** Variables that docfuse reads besides settings, without the `_FILE` of the entry point. */
const VARIABLES = ['DOCFUSE_INDEX', 'DOCFUSE_TOKEN', 'QDRANT_API_KEY', 'PGPASSWORD', 'PATH'];
const XDG = /^XDG_(DATA|STATE|CACHE)_HOME$/;

function expectKnown(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (VARIABLES.includes(name.replace(/_FILE$/, '')) || XDG.test(name)) continue;
    const usual = value.replace(/^\$\{\w+-(.*)\}$/, '$1');
    expect(() => environmentSettings({ [name]: usual }), name).not.toThrow();
    expect(
      Object.keys(environmentSettings({ [name]: usual || 'postgres://host/database' })),
      name,
    ).toHaveLength(1);
  }
}

function expectCommand(command: string): void {
  const [, name, flags] = /docfuse (\w+)((?: [\w-]+)*)/.exec(command)!;
  expect(commands, command).toContain(`docfuse ${name}`);
  for (const [flag] of flags!.matchAll(/--[\w-]+/g)) expect(commands, command).toContain(flag);
}

test('what the Dockerfile copies, runs and sets is there', () => {
  const paths = projectPaths();
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) =>
    files!.split(' '),
  );
  for (const file of copied.filter((each) => each !== '.')) expect(paths).toContain(file);
  for (const [file] of dockerfile.matchAll(/scripts\/[\w-]+\.ts/g)) expect(paths).toContain(file);
  const [, installed] = /docfuse-\*\.tgz (.+)$/m.exec(dockerfile)!;
  for (const each of installed!.trim().split(' ')) {
    const [, name, major] = /^(.+)@(\d+)$/.exec(each)!;
    expect(manifest.peerDependencies[name!], each).toMatch(new RegExp(`^\\^${major}\\.`));
  }
  const set = /^ENV (.+)$/m.exec(dockerfile)![1]!.trim().split(/ +/);
  expectKnown(Object.fromEntries(set.map((each) => each.split('=', 2))));
  expectCommand(JSON.parse(/^CMD (.+)$/m.exec(dockerfile)![1]!).join(' '));
  expect(dockerfile).toMatch(/^USER 1000$/m);
  expect(dockerfile).toContain('/healthz');
});

test('what compose.yaml names is there', () => {
  for (const [name, service] of services) {
    const { command = [], environment = {}, volumes = [], secrets = [], build } = service;
    for (const volume of volumes.map((each) => each.split(':', 1)[0]!))
      if (!volume.startsWith('.')) expect(Object.keys(compose.volumes), name).toContain(volume);
    for (const secret of secrets) expect(Object.keys(compose.secrets), name).toContain(secret);
    for (const [, file] of JSON.stringify(service).matchAll(/\/run\/secrets\/(\w+)/g))
      expect(secrets, name).toContain(file);
    if (build === undefined) continue;
    expect(service.read_only, name).toBe(true);
    expectKnown(environment);
    // A shell would not pass the signal to stop on.
    if (command.length > 0) expectCommand(command.join(' '));
    // A container that is made again has another name, unless it is given one: it could not publish.
    if (command.includes('index')) expect(service.hostname).toBe(`\${INDEXER_NAME:-${name}}`);
  }
  const set = readProjectFile('deploy/postgres.env').trim().split('\n');
  for (const line of set) expect(text).toContain(`\${${line.split('=', 1)[0]}-`);
  const [, profiles] = [
    services.flatMap(([, { profiles = [] }]) => profiles),
    text.matchAll(/--profile (\w+)/g),
  ] as const;
  for (const [, profile] of profiles) expect(services.map(([name]) => name)).toContain(profile);
});

test.skipIf(process.platform === 'win32')(
  'the entry point reads secrets from files, and fails without one',
  () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'token'), 'a b\n');
    const script = fileURLToPath(new URL('../../deploy/entrypoint.sh', import.meta.url));
    const show =
      'process.stdout.write(JSON.stringify([process.env.DOCFUSE_TOKEN, process.env.PGPASSWORD, process.argv[1]]))';
    const run = (env: object) =>
      execFileSync('sh', [script, process.execPath, '-e', show, 'two words'], {
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const token = join(folder, 'token');
    expect(JSON.parse(run({ DOCFUSE_TOKEN_FILE: token, PGPASSWORD_FILE: token }))).toEqual([
      'a b',
      'a b',
      'two words',
    ]);
    expect(JSON.parse(run({ OTHER_FILE: token, DOCFUSE_TOKEN: 'c' }))).toEqual(['c', null, 'two words']);
    expect(() => run({ DOCFUSE_TOKEN_FILE: join(folder, 'none') })).toThrow(/none/);
  },
);
