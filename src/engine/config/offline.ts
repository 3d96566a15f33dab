/** Reads `DOCFUSE_OFFLINE`, which forbids requests to other machines. */
import { DocfuseError } from '../../core/errors.ts';
import type { Environment } from './places.ts';
import { isLoopback } from './web-names.ts';

export function isOffline(env: Environment): boolean {
  return !['', '0', 'false', 'no'].includes((env.DOCFUSE_OFFLINE ?? '').toLowerCase());
}

/** Refuses a service on another machine if docfuse is offline. @throws DocfuseError `remote` */
export function requireAllowed(url: string, env: Environment): void {
  const host = URL.parse(url)?.hostname ?? '';
  if (isLoopback(host) || !isOffline(env)) return;
  throw new DocfuseError(
    'remote',
    `No request is sent to ${host}, because DOCFUSE_OFFLINE is set.`,
    'Unset it, or use a service on this machine.',
  );
}
