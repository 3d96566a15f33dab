/** Finds out whether an optional package is installed where docfuse can load it. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch (error) {
    // Another error means that the package is installed, but has no entry for `require`.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}
