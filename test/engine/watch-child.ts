/** Keeps an index up to date in a process of its own, and says on stdout what it was told and what it found. */
import { writeSync } from 'node:fs';
import { open } from '../../src/engine/open.ts';
import { keepFresh } from '../../src/engine/watch/keep-fresh.ts';

const [folder, indexPath] = process.argv.slice(2) as [string, string];
const say = (line: string) => writeSync(1, `${line}\n`);
const fresh = keepFresh(await open({ roots: [folder], indexPath }), {
  everyMs: 200,
  patienceMs: 20_000,
  onWarning: ({ message }) => say(message),
  onChanges: (changes) => changes.map(({ document, change }) => say(`${change} ${document}`)),
  onFailure: (error) => say(String(error)),
});
await fresh.sync({ embed: false });
say('ready');
