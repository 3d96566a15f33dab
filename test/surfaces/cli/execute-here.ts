/** Runs the sources of the command in the process of the test. The process then is what it was before. */
import 'node:sqlite'; // The first import prints a warning, which must not look like output of the command.
import { setFlagsFromString } from 'node:v8';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A process has one working directory, so that commands take turns. */
let lastRun: Promise<unknown> = Promise.resolve();
let runs = 0;

export interface Surroundings {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Columns of a terminal that both streams are. @default none, as with pipes */
  readonly columns?: number;
}

/** @param args the start-up file, then what a user types */
export function executeHere(args: readonly string[], surroundings: Surroundings): Promise<Outcome> {
  const run = lastRun.then(() => runOnce(args, surroundings));
  lastRun = run.catch(() => {});
  return run;
}

async function runOnce(args: readonly string[], { cwd, env, columns }: Surroundings): Promise<Outcome> {
  const { argv, exitCode, stdout, stderr } = process;
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const [out, errors] = [gather(stdout, columns), gather(stderr, columns)];
  const listeners = SIGNALS.map((signal) => process.listeners(signal));
  try {
    process.argv = [process.execPath, ...args];
    process.chdir(cwd);
    replaceEnvironment(env);
    // Another address is another module, which is evaluated once more.
    const { ended } = await import(/* @vite-ignore */ `../../../src/surfaces/cli/main.ts?run=${++runs}`);
    await ended;
    return { code: Number(process.exitCode), stdout: out.text(), stderr: errors.text() };
  } finally {
    replaceEnvironment(before.env);
    process.chdir(before.cwd);
    process.argv = argv;
    process.exitCode = exitCode;
    for (const [place, signal] of SIGNALS.entries())
      for (const listener of process.listeners(signal))
        if (!listeners[place]!.includes(listener)) process.off(signal, listener);
    for (const gathered of [out, errors]) gathered.end();
    // A command sets these flags to save memory.
    for (const flag of ['--semi-space-growth-factor=2', '--heap-growing-percent=0']) setFlagsFromString(flag);
  }
}

/** The variables themselves change: native code does not see an object that is put in their place. */
function replaceEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Takes what is written to a stream. */
function gather(stream: NodeJS.WriteStream, columns?: number) {
  const { write } = stream;
  const terminal = { isTTY: stream.isTTY, columns: stream.columns };
  if (columns) Object.assign(stream, { isTTY: true, columns });
  const listeners = stream.listeners('error');
  let text = '';
  stream.write = (chunk: Uint8Array | string, ...rest: readonly unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
  return {
    text: () => text,
    end() {
      stream.write = write;
      Object.assign(stream, terminal);
      for (const listener of stream.listeners('error'))
        if (!listeners.includes(listener)) stream.off('error', listener as () => void);
    },
  };
}
