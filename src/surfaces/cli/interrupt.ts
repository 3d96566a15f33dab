/** Ctrl-C: the first press asks the work to stop where nothing is lost, the second ends the process. */

export type Interrupt = ReturnType<typeof listenForInterrupt>;

/**
 * Milliseconds after the first signal during which further signals are ignored. One Ctrl-C can cause several signals: the
 * terminal signals every process of a command, and launchers (npx, our own start-up file) pass their signal on.
 */
const SAME_PRESS_MS = 500;

const CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** @param announce called at the first signal, unless `expect` was called before */
export function listenForInterrupt(announce: () => void) {
  const controller = new AbortController();
  let code: number | undefined;
  let first = 0;
  let expected = false;
  const onSignal = (name: NodeJS.Signals) => {
    if (code !== undefined) {
      if (performance.now() - first > SAME_PRESS_MS) process.exit(code);
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
    /** After this call, Ctrl-C is the normal end of the command and is not announced. */
    expect() {
      expected = true;
    },
    /** Returns 128 + the number of the signal that came, as shells do; undefined if no signal came. */
    exitCode: () => code,
  };
}
