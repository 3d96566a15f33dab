/** The version of this package, as its manifest says. */
import { readFileSync } from 'node:fs';

/** Sources and build lie equally deep under the package's root. */
export function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
