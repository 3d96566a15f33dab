/** Changes without an event: a comparison of all files finds each of them now and then by itself. */
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { open } from '../../src/engine/open.ts';
import { type KeepFreshOptions, keepFresh } from '../../src/engine/watch/keep-fresh.ts';
import { mayMount } from '../support/disks.ts';
import { SMALL_SETTINGS } from '../support/small-model.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { DRIVES } from './drives.ts';
import { fill, LATE, plain, type Scene, SOURCES, type Source, said } from './untold.ts';

async function watched(
  { make = plain, options }: Source,
  times: Pick<KeepFreshOptions, 'everyMs' | 'reconcileMs'>,
): Promise<Scene> {
  const work = temporaryFolder();
  const root = make(work);
  const own = { indexPath: join(work, 'index'), settings: SMALL_SETTINGS };
  const index = await open({ ...(options?.(work) ?? { roots: [root] }), ...own });
  const failures: string[] = [];
  const onFailure = (error: unknown) => failures.push(String(error));
  const fresh = keepFresh(index, { ...times, patienceMs: LATE.timeout, onFailure });
  onTestFinished(() => fresh.close());
  await fresh.sync({ embed: false });
  expect(await said(fresh)).toEqual(['sourdough']);
  await vi.waitFor(() => expect(fresh.activity().state).toBe('idle'), LATE);
  return { work, root, fresh, failures };
}

function seen(source: Source): void {
  const { change, after = ['focaccia'], last = ['brioche'] } = source;
  const again = source.again ?? (({ root }) => fill(root, 'brioche'));

  // The others are found by a comparison of all files, which `sync()` does not make.
  if (source.isOfIndex) {
    test('sync() sees it at once', async () => {
      const scene = await watched(source, { everyMs: 300_000 });
      const sync = { embed: false };
      await change(scene);
      await scene.fresh.sync(sync);
      expect(await said(scene.fresh)).toEqual(after);
      again(scene);
      await scene.fresh.sync(sync);
      expect(await said(scene.fresh)).toEqual(last);
      expect(scene.failures).toEqual([]);
    });
  }

  test('nobody needs to ask', async () => {
    const scene = await watched(source, { everyMs: 100, ...(!source.isOfIndex && { reconcileMs: 300 }) });
    await change(scene);
    await vi.waitFor(async () => expect(await said(scene.fresh)).toEqual(after), LATE);
    again(scene);
    await vi.waitFor(async () => expect(await said(scene.fresh)).toEqual(last), LATE);
    expect(scene.failures).toEqual([]);
  });
}

describe.each(Object.entries(SOURCES))('%s', (_, source) => seen(source));
describe.skipIf(!mayMount()).each(Object.entries(DRIVES))('%s (only as root, who may mount)', (_, source) =>
  seen(source),
);
