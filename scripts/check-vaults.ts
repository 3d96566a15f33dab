/** Checks reading and chunking on every file of real vaults: no text is lost, lines are exact, all invariants hold. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type ChunkingSettings, chunkDocument, DEFAULT_CHUNKING } from '../src/core/chunk/chunk-document.ts';
import { parseDocument } from '../src/core/markdown/parse-document.ts';
import { violationsOf } from '../test/support/chunk-invariants.ts';

const TEXT_FILE = /\.(?:md|markdown|mdx|txt)$/i;
const STRATEGIES: readonly ChunkingSettings[] = [
  DEFAULT_CHUNKING,
  { ...DEFAULT_CHUNKING, strategy: 'fixed' },
];

const folder = process.argv[2] ?? process.env.DOCFUSE_VAULTS;
if (folder === undefined) {
  console.error('Give the folder that holds the vaults (*.tar.gz), as an argument or in DOCFUSE_VAULTS.');
  process.exit(2);
}
const archives = readdirSync(folder).filter((name) => name.endsWith('.tar.gz'));
if (archives.length === 0) {
  console.error(`There is no *.tar.gz in ${folder}.`);
  process.exit(2);
}
const violations = archives
  .map((name) => checkVault(join(folder, name)))
  .reduce((sum, count) => sum + count, 0);
console.log(violations === 0 ? 'No violations.' : `${violations} violations.`);
process.exit(violations === 0 ? 0 : 1);

function checkVault(archive: string): number {
  const root = mkdtempSync(join(tmpdir(), 'docfuse-vault-'));
  try {
    execFileSync('tar', ['-xzf', archive, '-C', root]);
    return checkFiles(basename(archive, '.tar.gz'), root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function checkFiles(name: string, root: string): number {
  let files = 0;
  let bytes = 0;
  let chunks = 0;
  let readingTime = 0;
  let chunkingTime = 0;
  let violations = 0;
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!TEXT_FILE.test(path)) continue;
    const buffer = readFileSync(join(root, path));
    const source = new TextDecoder().decode(buffer);
    files++;
    bytes += buffer.length;
    const began = performance.now();
    const document = parseDocument(path, source);
    readingTime += performance.now() - began;
    for (const settings of STRATEGIES) {
      const cutting = performance.now();
      const chunked = chunkDocument(`${name}/${path}`, document, settings);
      if (settings === DEFAULT_CHUNKING) {
        chunkingTime += performance.now() - cutting;
        chunks += chunked.chunks.length;
      }
      for (const violation of violationsOf(source, document, chunked, settings)) {
        violations++;
        console.error(`${name}/${path} (${settings.strategy}): ${violation}`);
      }
    }
  }
  const speed = (time: number) => `${(bytes / 1e3 / time).toFixed(1)} MB/s`;
  const rate = Math.round((files / (readingTime + chunkingTime)) * 1000);
  console.log(
    `${name}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, ${chunks} chunks; ` +
      `reading ${speed(readingTime)}, chunking ${speed(chunkingTime)}, together ${rate} files/s`,
  );
  return violations;
}
