/** Documentation of installed packages, named by `npm:` and `pypi:`. */
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../../src/engine/config/config.ts';
import { resolveRoot } from '../../../src/engine/config/resolve-root.ts';
import { open } from '../../../src/engine/open.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { writeFiles } from '../../support/write-files.ts';

const work = sharedFolder();
const project = join(work, 'project');
const SITE = join(project, '.venv/lib/python3.12/site-packages');
afterEach(() => void vi.unstubAllEnvs());
beforeEach(() => {
  for (const name of ['PATH', 'HOME', 'VIRTUAL_ENV']) vi.stubEnv(name, join(work, 'none'));
});

const write = (files: Readonly<Record<string, string>>) => writeFiles(work, files);

const METADATA = `Metadata-Version: 2.4
Name: Light_House
Version: 1.2
Summary: Keeps the lamp lit.
License: MIT
Description-Content-Type: text/markdown; charset=UTF-8

# Light house

Trim the wick every evening.
`;
const INFO = 'project/.venv/lib/python3.12/site-packages/light_house-1.2.dist-info';
write({
  'project/.gitignore': 'node_modules\n.venv\n',
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/src/a.md': '# Source\n',
  'project/node_modules/oil/README.md': '# Oil\n\nClean oil burns bright.\n',
  'project/node_modules/oil/dist/built.md': '# Built\n',
  'project/node_modules/oil/package.json': '{}',
  'project/node_modules/@lamp/wick/README.md': '# Wick\n',
  'elsewhere/secret.md': '# Secret\n',
  [`${INFO}/METADATA`]: METADATA,
  [`${INFO}/RECORD`]: [
    '../../../bin/lamp,,',
    '../../../../../elsewhere/secret.md,,',
    `${work}/elsewhere/secret.md,,`,
    'light_house-1.2.dist-info/METADATA,sha256=x,1',
    'google/lamps/house/docs/guide.md,sha256=x,1',
    'google/lamps/house/__init__.py,sha256=x,1',
    'plain/__init__.py,sha256=x,1',
  ].join('\r\n'),
  [`${INFO}/../google/lamps/house/docs/guide.md`]: '# Guide\n\nOf another part.\n',
  [`${INFO}/../google/lamps/other/README.md`]: '# Of another package\n',
  [`${INFO}/../plain/__init__.py`]: '',
});

test('no folder at all is refused, and is not the working directory', async () => {
  await expect(open({ roots: ['src', ''], cwd: project })).rejects.toMatchObject({
    code: 'usage',
    message: 'The path of a folder is empty.',
  });
  await expect(open({ roots: [], cwd: project })).rejects.toMatchObject({
    code: 'usage',
    message: 'roots is an empty list, and no configuration file names collections.',
  });
});

test.each([
  ['npm:oil', 'src', ['node_modules/oil']],
  ['npm:@lamp/wick', '.', ['node_modules/@lamp/wick']],
  ['node_modules/oil', '.', ['node_modules/oil']],
])('%s is the nearest installed one', (asked, from, expected) => {
  expect(resolveRoot(asked, join(project, from))).toEqual(expected.map((path) => join(project, path)));
});

test.each(['light-house', 'Light.House', 'LIGHT_HOUSE'])(
  'pypi:%s is its long description, and the folders that hold documents of no other package',
  (name) => {
    const expected = ['light_house-1.2.dist-info/METADATA', 'google/lamps/house'];
    expect(resolveRoot(`pypi:${name}`, join(project, 'src'))).toEqual(
      expected.map((path) => join(SITE, path)),
    );
  },
);

test('pypi: VIRTUAL_ENV comes first, then a folder above, then the environment of python3 on PATH', () => {
  for (const [at, place] of ['active', 'opt', 'project/src/.venv'].entries()) {
    write({ [`${place}/lib/python3.9/site-packages/zeal-${at}.dist-info/METADATA`]: METADATA });
  }
  write({ 'opt/bin/python3': '' });
  const found = (from: string) => resolveRoot('pypi:zeal', join(work, from))[0];
  vi.stubEnv('PATH', `relative:${join(work, 'opt/bin')}`);
  expect(found('elsewhere')).toContain(join(work, 'opt'));
  expect(found('project/src')).toContain(join(project, 'src/.venv'));
  vi.stubEnv('VIRTUAL_ENV', join(work, 'active'));
  expect(found('project/src')).toContain(join(work, 'active'));
});

test('pypi: of the versions of pyenv, the newest that has the package', () => {
  for (const version of ['3.9.1', '3.12.0', '3.13.0'])
    write({
      [`pyenv/versions/${version}/lib/python3.${version.split('.')[1]}/site-packages/x-1.dist-info/a`]: '',
    });
  for (const version of ['3.9.1', '3.12.0'])
    write({
      [`pyenv/versions/${version}/lib/python3.${version.split('.')[1]}/site-packages/x-1.dist-info/METADATA`]:
        METADATA,
    });
  write({ 'pyenv/shims/python3': '' });
  vi.stubEnv('PATH', join(work, 'pyenv/shims'));
  expect(resolveRoot('pypi:x', work)[0]).toContain('versions/3.12.0/');
});

test('pypi: the environment of the first Python on PATH, for pyenv the version that is in use', () => {
  const [shims, system] = [join(work, 'env/shims'), join(work, 'system/bin')];
  for (const place of ['env/versions/3.9.7', 'env/versions/3.9.20', 'env/versions/3.13.0', 'system'])
    write({ [`${place}/lib/python3/site-packages/y-1.dist-info/METADATA`]: METADATA });
  write({ 'env/shims/python3': '', 'system/bin/python3': '', 'pinned/deep/.python-version/a': '' });
  const found = () =>
    /(?:versions.)?[^/]+(?=.lib)/.exec(resolveRoot('pypi:y', join(work, 'pinned/deep'))[0]!)![0];
  vi.stubEnv('PATH', `${shims}:${system}`);
  expect(found(), 'pyenv names no version').toBe('system');
  write({ 'env/version': 'system\n3.9.7\n' });
  expect(found()).toBe('system');
  write({ 'env/version': '3.9.7\nsystem\n3.13.0\n' });
  vi.stubEnv('PYENV_VERSION', '');
  expect(found()).toBe('versions/3.9.7');
  write({ 'pinned/.python-version': '# ours\n3.9 # or newer\n' });
  expect(found()).toBe('versions/3.9.20');
  vi.stubEnv('PYENV_VERSION', '../../system:python-3.13.0:3.9.7');
  expect(found()).toBe('versions/3.13.0');
  vi.stubEnv('PATH', `${system}:${shims}`);
  expect(found()).toBe('system');
});

test('a folder that is called like a package is that folder', () => {
  write({ 'odd/npm:oil/a.md': '# A\n', 'odd/node_modules/oil/b.md': '# B\n' });
  expect(resolveRoot('npm:oil', join(work, 'odd'))).toEqual([join(work, 'odd/npm:oil')]);
});

test.each([
  ['npm:nosuch', 'not_found', /in node_modules of .*project or .*above/, 'npm install nosuch'],
  ['pypi:nosuch', 'not_found', /not in .*project\/\.venv\/lib\/python3\.12/, 'python3 -m pip install nosuch'],
  ['npm:../../elsewhere', 'usage', /not the name of an npm package/, 'without a version'],
  ['npm:@../elsewhere', 'usage', /not the name of an npm package/, 'without a version'],
  ['npm:oil@1.0.0', 'usage', /not the name of an npm package/, 'without a version'],
  ['pypi:../x', 'usage', /not the name of a Python package/, 'without a version'],
  ['npm:', 'usage', /"" is not/, 'npm:NAME'],
])('%s fails with a remedy', (asked, code, message, remedy) => {
  const failed = expect.objectContaining({
    code,
    message: expect.stringMatching(message),
    remedy: expect.stringContaining(remedy),
  });
  expect(() => resolveRoot(asked, project)).toThrow(failed);
});

test('an untrusted docfuse.toml reads packages inside its folder only', () => {
  const [inner, outer] = [join(work, 'untrusted'), join(work, 'untrusted/../node_modules')];
  write({ 'untrusted/node_modules/near/a.md': '# A\n', 'node_modules/far/b.md': '# B\n' });
  symlinkSync(join(outer, 'far'), join(inner, 'node_modules/linked'));
  const paths = ['npm:near', 'npm:far', 'npm:linked'];
  write({ 'untrusted/docfuse.toml': paths.map((path) => `[[collections]]\npath = "${path}"\n`).join('') });
  const { collections, leftOut } = loadConfig({ cwd: inner });
  expect(collections.map(({ root }) => root)).toEqual([join(inner, 'node_modules/near')]);
  expect(leftOut?.keys).toEqual(['collections.1.path', 'collections.2.path']);
});

test('docfuse.toml names packages from its own folder, and a missing one with its line', () => {
  write({
    'project/docfuse.toml': '[[collections]]\npath = "npm:oil"\n\n[[collections]]\npath = "pypi:nosuch"\n',
  });
  const config = join(project, 'docfuse.toml');
  expect(() => loadConfig({ config, cwd: work })).toThrow(
    expect.objectContaining({ code: 'config', message: expect.stringContaining(`${config}:5: The Python`) }),
  );
  expect(loadConfig({ config, cwd: work, roots: ['elsewhere'] }).collections).toHaveLength(1);
  rmSync(config);
});

test('packages are read beside the project that holds them, in spite of its ignore files', async () => {
  const roots = ['.', 'npm:oil', 'pypi:light-house'];
  await using index = await open({ cwd: project, roots, indexPath: join(work, 'index') });
  await index.sync({ embed: false });
  const { documents } = await index.list({});
  expect(documents.map(({ collection, path, title }) => [collection, path, title])).toEqual([
    ['house', 'docs/guide.md', 'Guide'],
    ['light_house-1.2', 'METADATA', 'Light_House 1.2'],
    ['oil', 'README.md', 'Oil'],
    ['project', 'src/a.md', 'Source'],
  ]);
  const { hits } = await index.search('trim the wick', { mode: 'keyword' });
  expect(hits[0]).toMatchObject({ path: 'METADATA', startLine: 4, endLine: 10 });
  expect((await index.search('lamp lit', { mode: 'keyword' })).hits[0]).toMatchObject({ path: 'METADATA' });
});
