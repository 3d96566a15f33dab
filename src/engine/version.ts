/** Reads the version of this package from `package.json`. */
import { readFileSync } from 'node:fs';

// The relative path is correct in the sources and in the build.
const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** Version of the running code. Read at the start, because the package may be replaced while the process runs. */
export const VERSION: string = (JSON.parse(manifest) as { version: string }).version;
