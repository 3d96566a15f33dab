import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { man } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const hasGroff = spawnSync('groff', ['--version']).status === 0;

test('the package names a manual page that is there', () => {
  expect(existsSync(`${root}${man}`)).toBe(true);
});

test.runIf(hasGroff)('groff sets it without a warning (skipped where groff is not installed)', () => {
  const { stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-P-c', `${root}${man}`], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const plain = stdout
    .replace(/.\u0008/gu, '')
    .replaceAll('\u2010', '-')
    .replaceAll('\u2212', '-');
  expect(plain).toMatch(/docfuse search \[options\] <query>/);
  expect(plain).toContain('--min-confidence');
  expect(plain).toContain('EXIT STATUS');
});
