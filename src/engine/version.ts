/** The version of this package, as its manifest says. */
import { readFileSync } from 'node:fs';

// Sources and build lie equally deep under the package's root.
const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** That of the code which runs: the package may be replaced under a process. */
export const VERSION: string = (JSON.parse(manifest) as { version: string }).version;
