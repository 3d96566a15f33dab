/** The built web page. Its files are read once. A request can get only these: its path is looked up in a table. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SECURITY_HEADERS } from './refusal.ts';

interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The relative path leads to the same folder from `src/` and from the built `dist/`. */
const FOLDER = fileURLToPath(new URL('../../../dist/web/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** The page may run its own scripts, use its own styles and ask this server. It loads nothing from elsewhere. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
].join('; ');

/**
 * @returns the HTML of the page, and scripts and styles by path, such as `/assets/index-1a2b3c.js`; no files if the page is not built,
 *   or is being built just now
 */
export function readPageFiles(folder = FOLDER) {
  try {
    const html = readFileSync(`${folder}index.html`, 'utf8');
    const names = readdirSync(`${folder}assets`).filter((name) => extname(name) in TYPES);
    const assets = names.map((name): [string, Asset] => [
      `/assets/${name}`,
      { type: TYPES[extname(name)]!, bytes: new Uint8Array(readFileSync(`${folder}assets/${name}`)) },
    ]);
    return { html, assets: new Map(assets) };
  } catch {
    return { html: undefined, assets: new Map<string, Asset>() };
  }
}

export function pageResponse(html: string): Response {
  return new Response(html, {
    headers: {
      ...SECURITY_HEADERS,
      'content-security-policy': `${PAGE_POLICY}; frame-ancestors 'none'`,
      'content-type': 'text/html; charset=utf-8',
    },
  });
}

/** The name of an asset changes with its content, so browsers may keep it for good. */
export function assetResponse({ type, bytes }: Asset): Response {
  return new Response(bytes, {
    headers: {
      ...SECURITY_HEADERS,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': type,
    },
  });
}
