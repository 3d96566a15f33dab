/** A process that holds the write lock of an index until it is killed or told to let go. */
import { writeSync } from 'node:fs';
import { acquireWriteLock } from '../../../src/adapters/store/lock.ts';

const lock = await acquireWriteLock(process.argv[2]!);
writeSync(1, 'locked\n');
process.stdin.once('data', () => {
  lock.release();
  process.exit();
});
