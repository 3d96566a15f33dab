/** How eagerly a process that holds an index collects garbage. */

const FLAGS = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'] as const;

/**
 * Keeps memory small, as bin/docfuse.js does for all commands but a search: one that a server answers is over before this
 * matters, and starts a tenth faster without.
 */
export function collectOften(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of FLAGS) setFlagsFromString(flag);
}

/** Once nothing is left to index, answers matter: new objects may pile up as Node has it, and are looked at a tenth as often. */
export function letGrow(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=2');
}
