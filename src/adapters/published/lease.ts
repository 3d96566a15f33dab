/** Lets one process at a time publish an edition. */
import { DocfuseError } from '../../core/errors.ts';
import type { EditionWriter } from './engine.ts';

/** Length of a lease. If a publishing process was killed, other processes wait this long. */
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;

interface LeaseOptions {
  readonly owner: string;
  /** Name of the published index, for error messages. */
  readonly title: string;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/** @throws DocfuseError `index_busy`, which names the other process */
export async function holdLease(
  { claim }: Pick<EditionWriter, 'claim'>,
  { owner, title, now, signal }: LeaseOptions,
) {
  let renewed = 0;

  async function take(): Promise<void> {
    const holder = await claim(owner, now() + LEASE_MS, now(), signal);
    renewed = now();
    if (holder === owner) return;
    throw new DocfuseError(
      'index_busy',
      `${holder} is publishing to ${title}.`,
      'Wait until it has finished. If that process no longer runs, try again in a minute.',
    );
  }

  await take();
  return {
    /** Renews an old lease; may be called often. @throws DocfuseError `index_busy` if another process has taken it */
    async renew(): Promise<void> {
      if (now() - renewed > RENEW_MS) await take();
    },
    /** Works even after an abort. Ignores failures, because the lease expires by itself. */
    release: () => claim(owner, 0, now()).catch(() => {}),
  };
}
