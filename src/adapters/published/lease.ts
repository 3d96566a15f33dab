/** Lets one process at a time publish under a name. */
import { DocfuseError } from '../../core/errors.ts';
import type { Lease, PublishedEngine } from './engine.ts';

/** If a publishing process was killed, other processes wait this long. */
const LEASE_MS = 60_000;
const RENEW_MS = 15_000;

interface LeaseOptions {
  readonly owner: string;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

type Named = Pick<PublishedEngine, 'title' | 'nameSetting'>;

/** @throws DocfuseError `index_busy`, which names the other process */
export async function holdLease(
  engine: Named & Pick<PublishedEngine, 'claim'>,
  { owner, now, signal }: LeaseOptions,
) {
  let renewed = 0;

  async function take(): Promise<void> {
    const lease = await engine.claim(owner, LEASE_MS, signal);
    renewed = now();
    requireOwner(lease, owner, engine);
  }

  await take();
  return {
    /** Renews an old lease; may be called often. @throws DocfuseError `index_busy` if another process has taken it */
    async renew(): Promise<void> {
      if (now() - renewed > RENEW_MS) await take();
    },
    /** Works even after an abort. Ignores failures, because the lease expires by itself. */
    release: () => engine.claim(owner, 0).catch(() => {}),
  };
}

/** @throws DocfuseError `index_busy` if another process has the lease */
export function requireOwner(lease: Lease | undefined, owner: string, { title, nameSetting }: Named): void {
  if (!lease || lease.owner === owner) return;
  const [since, until] = [lease.since, lease.until].map((time) => time.toISOString());
  throw new DocfuseError(
    'index_busy',
    `${lease.owner} has been publishing ${title} since ${since}.`,
    `Wait until it has finished. If that process no longer runs, try again after ${until}. To publish another index beside it, choose another ${nameSetting}.`,
  );
}
