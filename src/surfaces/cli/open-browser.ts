/** Opens an address in the user's browser. */
import { spawn } from 'node:child_process';
import { splitCommand } from './split-command.ts';

/** Milliseconds within which the program may fail. A longer run is a success: a browser may run until its window is closed. */
const PATIENCE_MS = 1_000;

/** @returns why no browser was opened, as a sentence; undefined if one was */
export async function openBrowser(
  address: string,
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const [program, ...args] = browserCommand(env, platform);
  if (program === undefined) return 'There is no display to show a browser on.';
  // No shell: a query must never become a command.
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.on('error', () => resolve(`The program ${program} that opens a browser cannot be started.`));
  child.on('exit', (code) =>
    resolve(code === 0 ? undefined : `The program ${program} that opens a browser failed.`),
  );
  const timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  const failure = await promise;
  clearTimeout(timer);
  child.unref();
  return failure;
}

/** The command that opens an address: the value of `BROWSER`, or else a command of the system. Empty if there is no display. */
export function browserCommand(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly string[] {
  if (env.BROWSER?.trim()) return splitCommand(env.BROWSER);
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (platform === 'darwin') return ['open'];
  if (env.WSL_DISTRO_NAME) return ['wslview'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
