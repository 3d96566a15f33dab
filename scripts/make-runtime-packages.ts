/**
 * Makes the packages `@docfuse/onnxruntime-…`, each with the files of onnxruntime-node that one platform needs.
 * Usage: node scripts/make-runtime-packages.ts FOLDER [platform, such as linux-x64; default all]
 * Then `npm publish FOLDER/linux-x64 --access public`, and so on, before docfuse itself.
 */
import { copyFileSync, cpSync, globSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const OFFICIAL = dirname(require.resolve('onnxruntime-node/package.json'));
const LICENCE = fileURLToPath(new URL('onnxruntime-license.txt', import.meta.url));

/** Libraries for graphics cards, which are opened on demand only, and a second copy of the library under another name. */
const UNUSED = /^(DirectML|dxcompiler|dxil)\.dll$|^libonnxruntime\.\d+\.\d+\.\d+\.dylib$/;

/**
 * Writes `folder/PLATFORM` for each platform that the official package has files for.
 * @returns the platforms, such as `linux-x64`
 */
export function makeRuntimePackages(folder: string, only?: string): readonly string[] {
  const { version, dependencies } = require('onnxruntime-node/package.json');
  const libraries = globSync('bin/napi-v*/*/*', { cwd: OFFICIAL }).toSorted();
  return libraries.flatMap((library) => {
    const [os, cpu] = library.split(/[\\/]/).slice(-2) as [string, string];
    const platform = `${os}-${cpu}`;
    if (only !== undefined && only !== platform) return [];
    const target = join(folder, platform);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(join(target, library), { recursive: true });
    for (const name of readdirSync(join(OFFICIAL, library)).filter((name) => !UNUSED.test(name)))
      copyFileSync(join(OFFICIAL, library, name), join(target, library, name));
    cpSync(join(OFFICIAL, 'dist'), join(target, 'dist'), {
      recursive: true,
      filter: (file) => !/\.(map|d\.ts)$/.test(file),
    });
    copyFileSync(LICENCE, join(target, 'LICENSE'));
    const name = `@docfuse/onnxruntime-${platform}`;
    const manifest = {
      name,
      version,
      description: `ONNX Runtime for docfuse on ${platform}: files of onnxruntime-node ${version}, unchanged.`,
      license: 'MIT',
      repository: 'github:microsoft/onnxruntime',
      main: 'dist/index.js',
      os: [os],
      cpu: [cpu],
      // Built against glibc; musl cannot load it.
      ...(os === 'linux' ? { libc: ['glibc'] } : {}),
      dependencies: { 'onnxruntime-common': dependencies['onnxruntime-common'] },
    };
    writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    writeFileSync(
      join(target, 'README.md'),
      `# ${name}\n\nThe files of [onnxruntime-node](https://www.npmjs.com/package/onnxruntime-node) ${version} that ${platform} needs to run models on the CPU, without an install script. docfuse loads it.\n\nONNX Runtime is by Microsoft, under the MIT licence. The notices of what it is built from: https://github.com/microsoft/onnxruntime/blob/v${version}/ThirdPartyNotices.txt\n`,
    );
    return [platform];
  });
}

if (import.meta.main) {
  const [folder, only] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Usage: node scripts/make-runtime-packages.ts FOLDER [platform]');
  const made = makeRuntimePackages(folder, only);
  if (made.length === 0) throw new Error(`onnxruntime-node has no files for ${only}.`);
  console.log(made.join('\n'));
}
