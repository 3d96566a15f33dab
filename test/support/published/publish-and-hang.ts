/** A process that publishes `longFiles` as a rebuild, prints `nearly` before its end, and then hangs until it is killed. */
import { openPostgres } from '../../../src/adapters/postgres/engine.ts';
import { publish } from '../../../src/adapters/published/publish.ts';
import { openQdrant } from '../../../src/adapters/qdrant/engine.ts';
import { longFiles } from './long-files.ts';
import { memorySource } from './publish-memory.ts';

const [kind, url, name] = process.argv.slice(2) as [string, string, string];
const engine =
  kind === 'postgres'
    ? await openPostgres({
        url,
        name,
        password: process.env.PGPASSWORD ?? 'none',
        passwordEnv: 'PGPASSWORD',
        connections: 1,
      })
    : await openQdrant({ url, name, apiKey: process.env.QDRANT_API_KEY, apiKeyEnv: 'QDRANT_API_KEY' });
await publish(engine, memorySource(longFiles, 'rebuilt'), {
  now: Date.now,
  onProgress(done) {
    if (done < longFiles.length - 2) return;
    process.stdout.write('nearly\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
