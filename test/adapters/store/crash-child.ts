/** A process that writes documents and vectors until it is killed; says after each commit what is now on disk. */
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../../src/adapters/store/sqlite-store.ts';
import { sampleDocument } from './sample.ts';

const [file, run] = process.argv.slice(2) as [string, string];
const store = openSqliteStore(file);
for (let i = 0; ; i++) {
  const texts = Array.from({ length: 30 }, (_, part) => `${run} ${i} ${part} ${'word '.repeat(200)}`);
  store.putDocument(sampleDocument(`${run}-${i}.md`, texts));
  writeSync(1, `document ${run}-${i}.md\n`);
  const missing = store.missingVectors('m', 1000);
  store.putVectors(
    'm',
    missing.map(({ key }) => ({ key, vector: new Float32Array(384).fill(i) })),
  );
  writeSync(1, `vectors ${run}-${i}.md\n`);
}
