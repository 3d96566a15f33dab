/** Ctrl-C: the first press asks the work to stop where nothing is lost, the second ends the process. */

export interface Interrupt {
  readonly signal: AbortSignal;
  /** From here on it is how the command is ended: nothing is cut off, so nothing is announced. */
  expect(): void;
  /** Exit code of the signal that came, by shell convention 128 + its number; undefined when none did. */
  exitCode(): number | undefined;
}

/**
 * A terminal sends Ctrl-C to every process of a command, and launchers (npx, our own start-up file) pass it on as
 * well: signals closer together than this are one press.
 */
const SAME_PRESS = 500;

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** @param announce told once, when the first signal comes and was not expected */
export function listenForInterrupt(announce: () => void): Interrupt {
  const controller = new AbortController();
  let code: number | undefined;
  let first = 0;
  let expected = false;
  const onSignal = (name: NodeJS.Signals) => {
    if (code !== undefined) {
      if (performance.now() - first > SAME_PRESS) process.exit(code);
      return;
    }
    code = CODES[name as keyof typeof CODES];
    first = performance.now();
    if (!expected) announce();
    controller.abort();
  };
  for (const name of Object.keys(CODES)) process.on(name as NodeJS.Signals, onSignal);
  return {
    signal: controller.signal,
    expect() {
      expected = true;
    },
    exitCode: () => code,
  };
}
