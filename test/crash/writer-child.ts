/** Edits files and brings their index up to date, again and again, until it is killed; says on stdout what it does and what has been committed. */
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { randomNumbers } from '../../src/core/evaluate/statistics.ts';
import { open } from '../../src/engine/open.ts';

const [folder, indexPath, otherModel, seed, aim = ''] = process.argv.slice(2) as string[] as Arguments;
/** `aim` is what it shall be killed at: it then does that again and again. */
type Arguments = [folder: string, indexPath: string, otherModel: string, seed: string, aim?: string];
const random = randomNumbers(Number(seed));
const pick = (below: number) => Math.floor(random() * below);
const TOPICS = ['lantern', 'cellar', 'orchard', 'harbour', 'kettle', 'granite', 'meadow', 'violin'];

// One life in four wants another model; one in three keeps a vocabulary.
const model = aim === 'changing-model' || pick(4) === 0 ? otherModel : undefined;
const vocabulary = aim === 'vocabulary' || pick(3) === 0;
const index = await open({
  roots: [folder],
  indexPath,
  settings: {
    ...(model && { embedding: { model } }),
    search: { query_expansion_enabled: vocabulary },
  },
});
// Otherwise compiled code is kept when a process ends, which this one does not do by itself.
flushCompileCache();
say('ready');
for (;;) {
  for (let edits = 1 + pick(6); edits > 0; edits--) edit(join(folder, `${pick(4)}/${pick(12)}.md`));
  // Most rounds are small ones by words alone, so that segments are written and merged often.
  const embed = ['embedding', 'changing-model', 'vocabulary'].includes(aim) || pick(4) === 0;
  const rebuild = aim === 'rebuilding' || pick(12) === 0;
  if (rebuild) say('rebuilding');
  await index.sync({
    embed,
    rebuild,
    onProgress({ phase, done, total }) {
      if (phase === 'embed')
        say(done === total && vocabulary ? 'vocabulary' : model ? 'changing-model' : 'embedding');
      else if (done === total) say('saving');
    },
    onChange: ({ document, change }) => say(`${change} ${document}`),
  });
  say('synced');
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

function edit(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  if (pick(5) === 0) rmSync(file, { force: true });
  else {
    const text = Array.from({ length: pick(4) === 0 ? 3 : 1 }, section).join('\n');
    // Kept, so that whatever an index says can be compared with what the file ever said; a death amid the line spoils but it.
    appendFileSync(`${folder}.said`, `\n${JSON.stringify([relative(folder, file), text])}`);
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  }
}

/** Three of them are long enough for passages with a larger section around them. */
function section(): string {
  const words = Array.from(
    { length: 5 + pick(60) },
    () => `${TOPICS[pick(8)]}${pick(30) === 0 ? pick(99) : ''}`,
  );
  const link = `[see](../${pick(4)}/${pick(12)}.md)`;
  const code = pick(3) === 0 ? `\n\`\`\`ts\n${TOPICS[pick(8)]}${pick(9)}(${TOPICS[pick(8)]})\n\`\`\`\n` : '';
  return `# ${TOPICS[pick(8)]} ${pick(99)}\n\n${words.join(' ')} ${link}\n${code}`;
}
