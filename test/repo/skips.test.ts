/** A test that may be skipped says in its title when, because `.ci/run` prints the titles. Tests for some systems need not. */
import type { Node } from 'oxc-parser';
import { expect, test } from 'vitest';
import { parseModule, type SourceFile, walk } from './parse-source.ts';
import { projectSources } from './project-files.ts';

/** `(only …)`, `(not …)`, `(skipped …)`, or a note that a program puts there. */
const REASON = /\$\{|\((?:only|not|skipped) /;

const BY_SYSTEM = /^(?:process\.platform|LINUX)\b(?!.*\|\|)/;

/** Returns the titles of tests that may be skipped and do not say when. */
function silentSkips(file: SourceFile): readonly string[] {
  const silent: string[] = [];
  const textOf = ({ start, end }: Node) => file.source.slice(start, end);
  walk(parseModule(file).program, (node) => {
    if (node.type !== 'CallExpression') return;
    const [, condition] = /^\w+\.(?:skipIf|runIf)\((.*)/s.exec(textOf(node.callee)) ?? [];
    if (condition === undefined || BY_SYSTEM.test(condition)) return;
    const [title] = node.arguments;
    if (title?.type !== 'Literal' && title?.type !== 'TemplateLiteral') return;
    if (!REASON.test(textOf(title))) silent.push(`${file.path}: ${textOf(title)}`);
  });
  return silent;
}

test('a test that may be skipped says when', () => {
  const files = projectSources().filter(({ path }) => path.startsWith('test/'));
  expect(files.flatMap(silentSkips)).toEqual([]);
});

test('a planted one is seen', () => {
  const titles = ["'works'", "'works (not on Windows)'"];
  const source = titles.map((title) => `test.runIf(has)(${title}, run);`).join('\n');
  expect(silentSkips({ path: 'a.ts', source })).toEqual(["a.ts: 'works'"]);
});
