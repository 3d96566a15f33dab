/** The page and its files as the packed command serves them: headers, addresses, the token, and the form without scripts. */
import { afterAll, expect, test } from 'vitest';
import { createPlayground } from '../cli/docfuse.ts';
import { startServe } from '../cli/start-serve.ts';

const playground = createPlayground({
  'docs/lantern.md': '# Lanterns <b>&amp;</b>\n\nHow to light a `<lantern>` in the "rain".\n',
});
afterAll(() => playground[Symbol.dispose]());

const POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'self'; script-src 'self'; style-src 'self'; " +
  "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

const assetsOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="\.(\/assets\/[^"]+)"/g)].map(([, path]) => path!);

test('the page has a strict policy, its files are kept for good, and nothing else lies beside them', async () => {
  const { url } = await startServe(playground, ['docs']);
  const page = await fetch(url);
  expect(page.headers.get('content-security-policy')).toBe(POLICY);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await page.text();
  expect(html).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
  const assets = assetsOf(html);
  expect([...new Set(assets.map((path) => path.split('.').at(-1)))]).toEqual(['js', 'css']);
  for (const path of assets) {
    const asset = await fetch(url + path);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
    expect(asset.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/);
    expect((await asset.bytes()).length).toBeGreaterThan(100);
    expect(path).toMatch(/-[\w-]{8}\.(js|css)$/);
  }
  for (const path of [
    '',
    'none.js',
    '..%2Findex.html',
    '..%2f..%2Fcommand/main.cjs',
    '%2e%2e/LICENSES.md',
    'index.html',
  ])
    expect((await fetch(`${url}/assets/${path}`)).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
});

test('the form of the page finds without scripts, and shows text as text', async () => {
  const { url } = await startServe(playground, ['docs']);
  const html = await (
    await fetch(`${url}/?plain=1&q=${encodeURIComponent('"><script>lantern</script>')}`)
  ).text();
  expect(html).toContain('value="&#34;&#62;&#60;script&#62;lantern&#60;/script&#62;"');
  expect(html).not.toContain('<script>lantern');
  expect(html).toContain('docs/lantern.md:');
  expect(html).toMatch(/&#60;<mark>lantern<\/mark>&#62; in the &#34;rain&#34;/);
  // The page with scripts searches by itself, so its address is not searched for twice.
  const ofPage = await (await fetch(`${url}/?q=lantern`)).text();
  expect(ofPage).toContain('value="lantern"');
  expect(ofPage).not.toContain('docs/lantern.md:');
  expect(await (await fetch(`${url}/?plain=1&q=${'x'.repeat(9_000)}`)).text()).toContain('name="q"');
  const statusOf = async (address: string) => (await fetch(`${url}/?plain=1&q=lantern${address}`)).status;
  expect([await statusOf('&doc=docs/lantern.md'), await statusOf('&doc=nope.md')]).toEqual([200, 404]);
  expect((await fetch(`${url}/?q=lantern`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(
    403,
  );
});

test('a token keeps everything but the page itself, which holds nothing of the documents', async () => {
  const { url } = await startServe(playground, ['docs', '--token', 'secret']);
  const page = await fetch(`${url}/?q=lantern`);
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain('This server needs a token.');
  expect(html).not.toContain('lantern.md');
  for (const path of assetsOf(html)) expect((await fetch(url + path)).status).toBe(200);
  for (const path of [
    '/assets/none.js',
    '/api/search?q=lantern',
    '/api/documents',
    '/openapi.json',
    '/index.html',
  ])
    expect((await fetch(url + path)).status).toBe(401);
});
