/** Edits files and brings their index up to date, again and again, until it is killed; says on stdout what has been committed. */
import { mkdirSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mulberry32 } from '../../src/engine/communities.ts';
import { open } from '../../src/engine/open.ts';

const [folder, indexPath, seed] = process.argv.slice(2) as [string, string, string];
const random = mulberry32(Number(seed));
const pick = (below: number) => Math.floor(random() * below);
const TOPICS = ['lantern', 'cellar', 'orchard', 'harbour', 'kettle', 'granite', 'meadow', 'violin'];

const index = await open({ roots: [folder], indexPath });
writeSync(1, 'ready\n');
for (;;) {
  for (let edits = 1 + pick(6); edits > 0; edits--) edit(join(folder, `${pick(4)}/${pick(12)}.md`));
  // Most rounds are small ones by words alone, so that segments are written and merged often.
  const embed = pick(4) === 0;
  await index.sync({
    embed,
    onProgress: ({ phase }) => phase === 'embed' && writeSync(1, 'vectors\n'),
    onChange: ({ document, change }) => writeSync(1, `${change} ${document}\n`),
  });
  writeSync(1, embed ? 'embedded\n' : 'synced\n');
}

function edit(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  if (pick(5) === 0) rmSync(file, { force: true });
  else {
    const words = Array.from(
      { length: 5 + pick(60) },
      () => `${TOPICS[pick(8)]}${pick(30) === 0 ? pick(99) : ''}`,
    );
    const link = `[see](../${pick(4)}/${pick(12)}.md)`;
    writeFileSync(`${file}.new`, `# ${TOPICS[pick(8)]} ${pick(99)}\n\n${words.join(' ')} ${link}\n`);
    renameSync(`${file}.new`, file);
  }
}
