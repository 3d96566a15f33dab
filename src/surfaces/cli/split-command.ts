/** Splits a command that a variable of the environment names into program and arguments. Quotes hold words together. */
export function splitCommand(command: string): readonly string[] {
  return Array.from(
    command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare!,
  );
}
