/** Changes of which the system tells nobody: every source of them, seen by `sync()` at once, and before long by itself. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { open } from '../../src/engine/open.ts';
import { keepFresh } from '../../src/engine/watch/keep-fresh.ts';
import { mayMount } from '../support/disks.ts';
import { DRIVES } from './drives.ts';
import { fill, LATE, plain, type Scene, SOURCES, type Source, said } from './untold.ts';

async function watched({ make = plain, options }: Source, everyMs: number): Promise<Scene> {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'docfuse-untold-')));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  const root = make(work);
  const index = await open({ ...(options?.(work) ?? { roots: [root] }), indexPath: join(work, 'index') });
  const failures: string[] = [];
  const onFailure = (error: unknown) => failures.push(String(error));
  const fresh = keepFresh(index, { everyMs, patienceMs: LATE.timeout, onFailure });
  onTestFinished(() => fresh.close());
  await fresh.sync({ embed: false });
  expect(await said(fresh)).toEqual(['sourdough']);
  await vi.waitFor(() => expect(fresh.activity().state).toBe('idle'), LATE);
  return { work, root, fresh, failures };
}

function seen(source: Source): void {
  const { change, after = ['focaccia'], last = ['brioche'] } = source;
  const again = source.again ?? (({ root }) => fill(root, 'brioche'));

  test('sync() sees it at once', async () => {
    const scene = await watched(source, 300_000);
    await change(scene);
    await scene.fresh.sync({ embed: false });
    expect(await said(scene.fresh)).toEqual(after);
    again(scene);
    await scene.fresh.sync({ embed: false });
    expect(await said(scene.fresh)).toEqual(last);
    expect(scene.failures).toEqual([]);
  });

  test('nobody needs to ask', async () => {
    const scene = await watched(source, 100);
    await change(scene);
    await vi.waitFor(async () => expect(await said(scene.fresh)).toEqual(after), LATE);
    again(scene);
    await vi.waitFor(async () => expect(await said(scene.fresh)).toEqual(last), LATE);
    expect(scene.failures).toEqual([]);
  });
}

describe.each(Object.entries(SOURCES))('%s', (_, source) => seen(source));
describe.skipIf(!mayMount()).each(Object.entries(DRIVES))('%s', (_, source) => seen(source));
