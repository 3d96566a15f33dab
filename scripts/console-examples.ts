/** Runs the ```console blocks of the documentation and writes their real output under each `$` line. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BLOCK = /(?<=^```console\n).*?(?=^```$)/gms;

/** Pages with at least one such block, from the repository's root. */
export function pagesWithExamples(): readonly string[] {
  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
  return pages.filter((page) => readPage(page).search(BLOCK) !== -1).toSorted();
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** Returns the page with the current output of its blocks. All commands of a page share one new home, so they share indexes. */
export function runExamples(markdown: string): string {
  const home = mkdtempSync(join(tmpdir(), 'docfuse-examples-'));
  try {
    return markdown.replaceAll(BLOCK, (block) => {
      const commands = block.split('\n').filter((line) => line.startsWith('$ '));
      return commands.map((line) => `${line}\n${run(line.slice(2), home)}`).join('');
    });
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** Returns the page without numbers and units of time, which differ between machines. */
export function maskNumbers(markdown: string): string {
  return markdown.replaceAll(BLOCK, (block) => block.replaceAll(/\d+(\.\d+)?( (ms|s|min)\b)?/g, '#'));
}

if (import.meta.main) {
  for (const page of pagesWithExamples()) {
    const text = readPage(page);
    const current = runExamples(text);
    // A page in which only times differ is not written.
    if (maskTimes(current) !== maskTimes(text)) writeFileSync(join(ROOT, page), current);
  }
}

function maskTimes(markdown: string): string {
  return markdown.replaceAll(BLOCK, (block) => block.replaceAll(/\d+(\.\d+)? (ms|s|min)\b/g, '#'));
}

/** Standard output of a `docfuse` command line; a failing command throws. */
function run(line: string, home: string): string {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    (each) => each[1] ?? each[2] ?? each[3] ?? '',
  );
  const start = words.indexOf('docfuse');
  if (start === -1 || words.some((word) => /[|<>;]/.test(word)))
    throw new Error(`not a docfuse command: ${line}`);
  const env = { ...process.env, NO_COLOR: '1', HOME: home, LOCALAPPDATA: home, APPDATA: home };
  const answer = spawnSync(process.execPath, ['bin/docfuse.js', ...words.slice(start + 1)], {
    cwd: ROOT,
    env: { ...env, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, DOCFUSE_INDEX: '' },
    encoding: 'utf8',
  });
  if (answer.status !== 0) throw new Error(`${line}: exit ${answer.status}\n${answer.stderr}`);
  return `${answer.stdout.trimEnd()}\n`;
}
