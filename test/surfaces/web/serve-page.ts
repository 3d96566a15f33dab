/** The page of a real server in a real browser, for tests. */
import { type ChildProcess, fork } from 'node:child_process';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findChromium, openBrowser, WITHOUT_CHROMIUM } from '../../support/chromium.ts';
import { BIN, createPlayground, type Playground } from '../cli/docfuse.ts';
import { firstLine } from '../cli/start-serve.ts';

const executablePath = findChromium();

export const inBrowser = executablePath === undefined ? test.skip : test;
export const note = executablePath === undefined ? ` (${WITHOUT_CHROMIUM})` : '';

export interface ServedPage extends AsyncDisposable {
  readonly playground: Playground;
  readonly url: string;
  /** Opens a tab with storage of its own. What fails in it is added to `errors`. */
  tab(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** What scripts threw. */
  readonly errors: readonly string[];
  /** What the browser says that the policy of the page blocked. */
  readonly blocked: readonly string[];
  /** Addresses that were asked for, other than those of the server. */
  readonly strangers: readonly string[];
  stop(): Promise<void>;
  /** Starts the server again, on the same port. */
  start(): Promise<void>;
}

/** Serves a folder. Undefined where there is no browser: the tests are skipped. */
export async function servePage(
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<ServedPage | undefined> {
  if (executablePath === undefined) return undefined;
  const playground = createPlayground(files);
  const [browser, first] = await Promise.all([
    openBrowser(),
    serve(playground, ['notes', ...args, '--port', '0']),
  ]);
  let child = first.child;
  const { url } = first;
  const errors: string[] = [];
  const blocked: string[] = [];
  const strangers: string[] = [];
  const contexts: BrowserContext[] = [];

  async function stop(): Promise<void> {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exited;
  }
  return {
    ...{ playground, url, errors, blocked, strangers, stop },
    async tab(path = '/', options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) blocked.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
          strangers.push(request.url());
      });
      await page.goto(url + path);
      return page;
    },
    async start() {
      child = (await serve(playground, ['notes', ...args, '--port', new URL(url).port])).child;
    },
    async [Symbol.asyncDispose]() {
      for (const context of contexts) await context.close();
      await stop();
      playground[Symbol.dispose]();
    },
  };
}

/** Waits until the search is done. */
export const settled = (page: Page) => page.locator('.status [role=status]', { hasText: /hit/ }).waitFor();

export const titles = (page: Page) => page.locator('.hit h3 a').allTextContents();

export function expectNothingFailed({ errors, blocked, strangers }: ServedPage): void {
  expect({ errors, blocked, strangers }).toEqual({ errors: [], blocked: [], strangers: [] });
}

/** Starts `docfuse serve` and waits until all passages can be found by meaning. */
export async function serve({ folder, env }: Pick<Playground, 'folder' | 'env'>, args: readonly string[]) {
  const child: ChildProcess = fork(BIN, ['serve', '--json', ...args], { cwd: folder, env, silent: true });
  const { url } = JSON.parse(await firstLine(child)) as { readonly url: string };
  const token = args[args.indexOf('--token') + 1]!;
  const headers = args.includes('--token') ? { authorization: `Bearer ${token}` } : {};
  for (;;) {
    // On a slow machine, the server may close a connection at the moment of the next request.
    const answer = await fetch(`${url}/api/status`, { headers }).catch(() => undefined);
    const { index } = ((await answer?.json()) ?? {}) as {
      readonly index?: { readonly updated?: string; readonly stale: boolean };
    };
    if (index?.updated !== undefined && !index.stale) return { child, url };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
