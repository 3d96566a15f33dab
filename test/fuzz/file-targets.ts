/** Fuzz targets: bytes and files that are read before there is a document. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Commit, commitText } from '../../src/adapters/source/commit-text.ts';
import { createCorpusSource } from '../../src/adapters/source/corpus-source.ts';
import { decodeText } from '../../src/adapters/source/decode-text.ts';
import { createFolderSource } from '../../src/adapters/source/folder-source.ts';
import { readCommits } from '../../src/adapters/source/git-source.ts';
import { DocfuseError } from '../../src/core/errors.ts';
import { readFrontMatter } from '../../src/core/markdown/front-matter.ts';
import { parseDocument } from '../../src/core/markdown/parse-document.ts';
import { globMatcher, MAX_GLOB_LENGTH } from '../../src/core/query/glob.ts';
import { readCorpusIds, readJudgements, readQueries } from '../../src/engine/evaluate/set-files.ts';
import { readRun, writeRun } from '../../src/engine/evaluate/trec-run.ts';
import { arbitraryLine, arbitraryText, MARKS } from './arbitrary-text.ts';
import { type FuzzTarget, fuzzTarget } from './fuzz-target.ts';

const ENCODINGS: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'utf-8': (text) => Buffer.from(text, 'utf8'),
  'utf-8 with mark': (text) => Buffer.from(`\ufeff${text}`, 'utf8'),
  'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};

/** What a text in each encoding says; and bytes that are none, cut and spoilt. */
export const decodeTarget = fuzzTarget(
  'decode-text',
  fc.record({
    text: arbitraryText.map((text) => text.toWellFormed()),
    encoding: fc.constantFrom(...Object.keys(ENCODINGS)),
    spoilt: fc.option(fc.record({ at: fc.nat(), bytes: fc.uint8Array({ maxLength: 6 }), cut: fc.nat(9) })),
  }),
  ({ text, encoding, spoilt }) => {
    const bytes = Buffer.from(ENCODINGS[encoding]!(text));
    if (spoilt === null) {
      const isBinary = encoding.startsWith('utf-8') && bytes.subarray(0, 8192).includes(0);
      const expected = isBinary ? undefined : text.replace(encoding === 'utf-8' ? /^\ufeff/ : '', '');
      // A text that begins like the mark of another encoding is read in that one.
      const read = decodeText(bytes);
      return read?.text === expected && (read?.warnings.length ?? 0) === 0 ? [] : ['another text was read'];
    }
    const at = spoilt.at % (bytes.length + 1);
    const read = decodeText(
      Buffer.concat([bytes.subarray(0, at), spoilt.bytes, bytes.subarray(at + spoilt.cut)]),
    );
    if (read === undefined) return [];
    const wrong = read.warnings.flatMap((warning) =>
      /\.$/.test(warning) ? [] : ['a warning is no sentence'],
    );
    return read.text.isWellFormed() ? wrong : [...wrong, 'half a character was read'];
  },
);

const GLOBS = [
  '**',
  '**/',
  '/**',
  '*',
  '?',
  '/',
  'a',
  'b',
  '.md',
  '{',
  '}',
  ',',
  '[',
  ']',
  '[a-b]',
  '[!a]',
  '!',
  '\\',
  '.',
];
const glob = fc
  .array(fc.oneof(fc.constantFrom(...GLOBS), fc.constantFrom(...MARKS)), { maxLength: 20 })
  .map((parts) => parts.join('').slice(0, MAX_GLOB_LENGTH));
const path = fc.array(fc.constantFrom('a', 'b', 'ab.md', 'A.MD', '.a', '[', '!', 'é'), {
  minLength: 1,
  maxLength: 5,
});

/** `include` and `exclude`: no glob is bad, and what was asked before changes no answer. */
export const globsTarget = fuzzTarget(
  'globs',
  fc.record({
    globs: fc.array(glob, { minLength: 1, maxLength: 3 }),
    paths: fc.array(path, { maxLength: 8 }),
  }),
  ({ globs, paths }) => {
    const all = paths.map((names) => names.join('/'));
    const { touchedBy } = createFolderSource({ root: '.', include: globs, exclude: globs.slice(1) });
    for (const each of all) touchedBy(each, false);
    return globs.flatMap((each) => {
      const used = globMatcher(each);
      return all.flatMap((asked) =>
        used(asked) === globMatcher(each)(asked)
          ? []
          : [`${each} answers another way for ${asked} after others`],
      );
    });
  },
);

const HEX = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 });
const said = fc.oneof(arbitraryLine, arbitraryText, fc.constantFrom('', ' ', '---', '+++\na = 1\n+++'));
const withoutNul = (text: string) => text.toWellFormed().replaceAll('\0', '');
const commit = fc.record({
  hash: HEX,
  author: said.map((text) => withoutNul(text).replaceAll(/[\n<>]/g, '')),
  date: fc.constantFrom(
    '2024-02-29T12:00:00+02:00',
    '1970-01-01T00:00:00Z',
    '+292277026596-12-04T15:30:07Z',
    '',
  ),
  message: said.map(withoutNul),
  paths: fc.array(
    fc.oneof(arbitraryLine.map(withoutNul), fc.constantFrom('A', 'M', 'a/b.md')).filter(Boolean),
  ),
});

/** Commits are read as git had them, and their documents say what they said. */
export const commitsTarget = fuzzTarget(
  'commits',
  fc
    .uniqueArray(commit, { selector: ({ hash }) => hash, maxLength: 4 })
    // The nastiest name a file can have.
    .map((all) =>
      all.map((each, n) =>
        n % 2 ? each : { ...each, paths: [...each.paths, ...all.map(({ hash }) => hash)] },
      ),
    ),
  (all: readonly Commit[]) => {
    const printed = all.map(({ hash, author, date, message, paths }) => {
      const fields = [hash, 'parent', author, date, message];
      const changes = paths.flatMap((path, n) => [n === 0 ? '\nM' : 'M', path]);
      return [...fields, ...changes].map((value) => `${value}\0`).join('');
    });
    const read = readCommits(printed.join(''), false);
    if (JSON.stringify(read) !== JSON.stringify(all)) return ['other commits were read'];
    return all.flatMap((each) => {
      const text = commitText(each);
      const { values, warnings } = readFrontMatter(text);
      parseDocument('a.md', text);
      const isSame = values.commit === each.hash && typeof values.title === 'string' && values.title !== '';
      return isSame && warnings.length === 0 ? [] : ['the document is not about the commit'];
    });
  },
);

const key = fc.constantFrom('_id', 'text', 'title', 'type', 'metadata', '__proto__', 'x');
const jsonValue = fc.oneof(
  fc.string({ maxLength: 12 }),
  arbitraryLine,
  fc.json({ maxDepth: 1 }).map((text) => JSON.parse(text)),
);
const jsonLine = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ _id: fc.string({ minLength: 1, maxLength: 6 }), title: jsonValue, text: arbitraryLine })
      .map((entry) => JSON.stringify(entry)),
  },
  fc.dictionary(key, jsonValue, { maxKeys: 4 }).map((entry) => JSON.stringify(entry)),
  fc.constantFrom(...MARKS),
  fc.json({ maxDepth: 2 }),
);
const column = fc.oneof(
  fc.constantFrom('q1', 'Q0', 'a/b c.md', '1', '2', '-1', '1e3', 'NaN', 'Infinity', '', ' ', '0x1', '\u2028'),
  fc.constantFrom(...MARKS),
);
const columns = fc
  .tuple(fc.array(column, { maxLength: 8 }), fc.constantFrom('\t', ' ', '  '))
  .map(([parts, between]) => parts.join(between));
const lines = (line: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom('', '', '\ufeff'), fc.array(line, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'))
    .map(([mark, all, end]) => mark + all.join(end));

/** The files of a judged set and runs: read, or refused with line and remedy. */
export const judgedFilesTarget: FuzzTarget = {
  name: 'judged-files',
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), 'docfuse-fuzz-'));
    const file = join(folder, 'file');
    const input = fc.record({ json: lines(jsonLine), rows: lines(columns) });
    try {
      await fuzzTarget('judged-files', input, async ({ json, rows }) => {
        const wrong: string[] = [];
        writeFileSync(file, json);
        await refusedOr(wrong, async () => {
          for (const { id, text } of await readQueries(file))
            if (id === '' || typeof text !== 'string') wrong.push('a query has no id or text');
        });
        await refusedOr(wrong, async () => void (await readCorpusIds(file)));
        await refusedOr(wrong, async () => wrong.push(...(await corpusViolations(file))));
        writeFileSync(file, rows);
        await refusedOr(wrong, async () => {
          for (const [query, judgements] of await readJudgements(file))
            for (const [document, grade] of judgements)
              if (query === '' || document === '' || !Number.isInteger(grade))
                wrong.push('a judgement is none');
        });
        await refusedOr(wrong, async () => {
          const run = await readRun(file);
          await writeRun(file, run, 'again');
          const again = await readRun(file);
          if (JSON.stringify(idsOf(again)) !== JSON.stringify(idsOf(run)))
            wrong.push('a run is read another way');
        });
        return wrong;
      }).run(options);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

const idsOf = (run: Awaited<ReturnType<typeof readRun>>) =>
  [...run].map(([query, entries]) => [query, ...entries.map(({ document }) => document)]);

async function corpusViolations(file: string): Promise<readonly string[]> {
  const source = createCorpusSource(file);
  const wrong: string[] = [];
  for await (const { path: id } of source.list(() => {})) {
    const read = await source.read(id);
    if ('reason' in read) wrong.push('an entry that is listed cannot be read');
    else parseDocument(id, read.text);
  }
  return wrong;
}

async function refusedOr(wrong: string[], read: () => Promise<unknown>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof DocfuseError)) throw error;
    if (!/\.$/.test(error.message) || !/\.$/.test(error.remedy)) wrong.push(`no sentence: ${error.message}`);
  }
}
