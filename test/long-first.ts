/** The order of test files: those that take long though they are short come first, so that no worker waits for one at the end. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Without the durations of a former run, Vitest starts the largest files first: these would be late. All are of the last project. */
const LONG = [
  'quality/published',
  'adapters/qdrant/retrieval',
  'engine/rebuild',
  'quality/gate',
  'adapters/qdrant/publish',
  'adapters/postgres/problems',
  'repo/docs',
  'crash/crashes',
  'engine/untold',
  'engine/settings-effect',
  'crash/peers',
  'core/retrieval/embedded-retrieval',
].map((name) => fileURLToPath(new URL(`${name}.test.ts`, import.meta.url)));

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONG.filter((path) => !existsSync(path));
    if (gone.length > 0)
      throw new Error(`test/long-first.ts names files that do not exist: ${gone.join(', ')}.`);
    // Projects run one after another: a worker ends where the next one begins.
    return (await super.sort(files)).sort(
      (a, b) => a.project.name.localeCompare(b.project.name) || Number(isLong(b)) - Number(isLong(a)),
    );
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return LONG.includes(moduleId);
}
