/** Splits a command from an environment variable into program and arguments. A quoted text is one argument. */
export function splitCommand(command: string): readonly string[] {
  return Array.from(
    command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare!,
  );
}
