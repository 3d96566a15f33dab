/** Another user, for tests of rights: root may read everything, so where tests run as root, their commands run as nobody. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Options of a process; empty where the tests do not run as root. */
export const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Whether such a command can run: nobody must be able to enter the folders above this file. */
export const canRunAsNobody =
  process.platform !== 'win32' && (NOBODY.uid === undefined || mayBeEntered(import.meta.dirname));

/** Why it cannot, for names of tests. */
export const nobodyNote = canRunAsNobody
  ? ''
  : ' (others cannot enter the folder of this checkout, or this is Windows)';

function mayBeEntered(folder: string): boolean {
  const above = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (above === folder || mayBeEntered(above));
}
