/** The guide to the HTTP API: its commands are sent, and what it shows is what comes back. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../../src/surfaces/operations/operation.ts';
import { operations } from '../../../src/surfaces/operations/operations.ts';
import { projectPaths, readProjectFile } from '../../repo/project-files.ts';
import { createServed, type Served } from './served.ts';

const page = readProjectFile('docs/guides/http.md');
const NOTES = 'examples/notes/';
let served: Served;
beforeAll(async () => {
  const paths = projectPaths().filter((path) => path.startsWith(NOTES));
  served = await createServed({
    files: Object.fromEntries(paths.map((path) => [path.slice(NOTES.length), readProjectFile(path)])),
  });
  await served.ready();
});
afterAll(() => served?.[Symbol.asyncDispose]());

/** Each `curl` of the guide, with the JSON shown under its block where it is the only one. */
const examples = [...page.matchAll(/```sh\n((?:.|\n)*?)```(?:\n\n```json\n((?:.|\n)*?)```)?/g)].flatMap(
  ([, block, shown]) =>
    block!
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.startsWith('curl '))
      .map((line) => ({ line, shown: shown && (JSON.parse(shown) as object) })),
);

test('has examples', () => {
  expect(examples.length).toBeGreaterThan(5);
});

test.each(examples)('$line', async ({ line, shown }) => {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const after = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
  const url = words
    .find((word) => word.startsWith('http:'))!
    .replace('http://127.0.0.1:7331', served.server.url);
  const [name, value] = (after('-H') ?? 'accept: */*').split(': ');
  const body = after('-d');
  const leaving = new AbortController();
  const answer = await fetch(url, {
    headers: { [name!]: value! },
    ...(body !== undefined && { method: 'POST', body }),
    signal: leaving.signal,
  });
  if (words.includes('-N')) leaving.abort();
  else {
    const found = await answer.json();
    if (shown) expect(found).toMatchObject(shown);
    else expect(answer.status).toBe(200);
  }
});

test('names every route', () => {
  for (const { http } of operations as readonly Operation[]) {
    if (http) expect(page).toContain(`\`${http.path.replace('{document}', 'ID')}\``);
  }
});
