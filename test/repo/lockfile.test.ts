/** What is installed and shipped: the lock file, install scripts, licences, and no trace of one machine. */
import { globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { completeEntries } from '../../scripts/complete-lockfile.ts';
import { projectFileSize, projectPaths, readProjectFile } from './project-files.ts';

interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readProjectFile('package.json'));
const lock = JSON.parse(readProjectFile('package-lock.json'));
const entries = Object.entries(lock.packages as Record<string, LockEntry>).filter(([path]) => path !== '');

describe('package-lock.json', () => {
  it('names no address to download from, so that any registry serves', () => {
    expect(entries.filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
    expect(readProjectFile('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
    expect(readProjectFile('.npmrc')).not.toMatch(/^registry\s*=/m);
  });

  it('pins every package by its hash, where the registry at hand had it', () => {
    const installable = entries.filter(([, { optional, os = [], libc = [] }]) => {
      return !optional || (os.every((name) => name === 'linux') && !libc.includes('musl'));
    });
    const ours = installable
      .filter(([, { cpu = ['x64'] }]) => cpu.includes('x64'))
      // Made from this tree by scripts/make-runtime-packages.ts; here onnxruntime-node takes its place.
      .filter(([path]) => !path.startsWith('node_modules/@docfuse/'));
    expect(ours.length).toBeGreaterThan(50);
    expect(ours.filter(([, entry]) => !entry.integrity?.startsWith('sha512-'))).toEqual([]);
  });

  it('has the packages of every platform, without which `npm ci` refuses it', () => {
    expect(Object.keys(completeEntries(lock.packages))).toEqual(Object.keys(lock.packages));
  });

  it('is completed by name, version and platform where packages are missing', () => {
    const planted = {
      'node_modules/tool': {
        dev: true,
        optionalDependencies: { '@tool/linux-x64-musl': '1.2.3', plain: '1.0.0' },
      },
    };
    expect(completeEntries(planted)['node_modules/@tool/linux-x64-musl']).toEqual({
      version: '1.2.3',
      dev: true,
      optional: true,
      os: ['linux'],
      cpu: ['x64'],
      libc: ['musl'],
    });
    expect(Object.keys(completeEntries(planted))).toHaveLength(2);
  });

  it('asks for what package.json asks for', () => {
    for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      expect(lock.packages[''][group] ?? {}).toEqual(manifest[group] ?? {});
    }
    expect(lock.packages[''].version).toBe(manifest.version);
  });
});

describe('package.json', () => {
  it('decides on every install script: Node is allowed, the others are not needed', () => {
    expect(manifest.allowScripts).toEqual({
      node: true,
      'onnxruntime-node': false,
      protobufjs: false,
      'tesseract.js': false,
    });
    const scripted = entries
      .filter(([, entry]) => entry.hasInstallScript === true)
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
      .filter((name) => name !== 'fsevents');
    expect(scripted.toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted());
  });

  it('installs no package with an install script along with docfuse', () => {
    const shipped = entries.filter(
      ([, { dev = false, devOptional = false, peer = false }]) => !dev && !devOptional && !peer,
    );
    expect(shipped.length).toBeGreaterThan(20);
    expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
  });

  it('asks for a runtime for each platform that the official package has one for, in its version', () => {
    const { version } = lock.packages['node_modules/onnxruntime-node'];
    const official = new URL('../../node_modules/onnxruntime-node/', import.meta.url);
    const names = globSync('bin/napi-v*/*/*', { cwd: official }).map(
      (folder) => `@docfuse/onnxruntime-${folder.split(/[\\/]/).slice(-2).join('-')}`,
    );
    expect(manifest.optionalDependencies).toEqual(Object.fromEntries(names.map((name) => [name, version])));
  });

  it('ships what a user needs: the program, the model, the licence', () => {
    expect(manifest.license).toBe('MIT');
    expect(manifest.files).toEqual(expect.arrayContaining(['bin', 'dist', 'models']));
    expect(readProjectFile('LICENSE')).toContain('models/bge-small-en-v1.5/LICENSE.txt');
  });
});

describe('the files of the project', () => {
  it('give each model its licence and its source', () => {
    const models = new Set(
      projectPaths().flatMap((path) => /^(models\/[^/]+\/)tokenizer\.json$/.exec(path)?.[1] ?? []),
    );
    expect(models.size).toBeGreaterThan(0);
    for (const model of models) {
      expect(readProjectFile(`${model}LICENSE.txt`)).toContain('Permission is hereby granted');
      expect(readProjectFile(`${model}README.md`)).toContain('Source');
    }
  });

  it('are small, outside models/', () => {
    const large = projectPaths().filter(
      (path) => !path.startsWith('models/') && projectFileSize(path) > 1_000_000,
    );
    expect(large).toEqual([]);
  });

  it('name no path of the machine they were written on', () => {
    const machinePath =
      /(?<![\w.\-*)}\]])\/(?:work|root|home\/(?!user\b|you\b|me\b)\w+|Users\/(?!you\b|me\b)\w+)\/[\w.]/;
    const text = /\.(ts|js|mjs|py|json|md|toml|yml|yaml|svg|txt)$|(^|\/)(\.ci\/run|\.npmrc|\.gitignore)$/;
    const naming = projectPaths()
      .filter((path) => text.test(path) && projectFileSize(path) < 1_000_000)
      .flatMap((path) => {
        const found = machinePath.exec(readProjectFile(path));
        return found === null ? [] : [`${path}: ${found[0]}`];
      });
    expect(naming).toEqual([]);
  });
});
