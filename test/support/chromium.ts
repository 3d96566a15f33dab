/** The real browser that tests run pages in: the system's Chromium, without its windows where that is installed. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The shell has no windows, bars and profiles: it takes three quarters of the time. */
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** Why its tests are skipped, for their names. */
export const WITHOUT_CHROMIUM = 'needs Chromium: apt-get install chromium-headless-shell';

/**
 * Its executable, or undefined where there is none and tests are to be skipped.
 * @throws where CI runs without it: there it must not be skipped unseen
 */
export function findChromium(): string | undefined {
  const found = PLACES.find((path) => existsSync(path));
  if (found === undefined && process.env.CI) throw new Error(`This ${WITHOUT_CHROMIUM}.`);
  return found;
}

/** What a window starts in processes of their own and no test sees: suggestions of the address bar, and a spare renderer. */
const UNSEEN = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];
/** What Playwright switches off. Chromium heeds only the last such switch, so it is repeated. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

const ARGS = ['--no-sandbox', `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...UNSEEN].join(',')}`];

/** Test files run one after another in a worker share its browser, which ends with the worker. */
let browser: Promise<Browser> | undefined;

/** Returns the running browser, or starts one. */
export async function openBrowser(): Promise<Browser> {
  if (browser !== undefined && !(await browser).isConnected()) browser = undefined;
  browser ??= chromium.launch({ executablePath: findChromium()!, args: ARGS });
  return browser;
}

/** Closes all tabs, with what they stored. */
export async function closeTabs(): Promise<void> {
  for (const context of (await browser)?.contexts() ?? []) await context.close();
}
