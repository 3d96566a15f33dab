/** Makes judged sets of long questions out of vaults: paragraphs are taken out of their documents and asked. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeLongPairs, withoutParagraphs } from './long-pairs.ts';
import { readVault } from './read-vault.ts';
import { writeJudgedSet } from './write-judged-set.ts';

const USAGE = `usage: node bench/long-questions.ts <folder to make> <vault…>
  --pairs n  of each kind in each vault, default 100
  --least n  a kind with fewer in a vault is left out, default 30`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '100' }, least: { type: 'string', default: '30' } },
});
const [out, ...vaults] = positionals;
if (!out || vaults.length === 0) throw new Error(USAGE);

for (const vault of vaults) {
  const name = basename(resolve(vault));
  const made = Object.entries(makeLongPairs(await readVault(vault), Number(values.pairs)));
  const kinds = made.filter(([, pairs]) => pairs.length >= Number(values.least));
  const docs = resolve(out, 'docs', name);
  await rm(docs, { recursive: true, force: true });
  await cp(vault, docs, { recursive: true });
  // Both kinds are asked over the same documents, so that one index serves both.
  const taken = Map.groupBy(
    kinds.flatMap(([, pairs]) => pairs),
    ({ path }) => path,
  );
  for (const [path, pairs] of taken) {
    const file = join(docs, path);
    await writeFile(file, withoutParagraphs(await readFile(file, 'utf8'), pairs));
  }
  for (const [kind, pairs] of kinds) {
    await writeJudgedSet(join(out, `${name}-${kind}`), pairs, docs);
    const said = pairs.filter(({ type }) => type === 'title said').length;
    console.log(`${name}-${kind}: ${pairs.length} questions, ${said} say the title`);
  }
}
