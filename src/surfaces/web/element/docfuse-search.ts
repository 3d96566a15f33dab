/**
 * The element `<docfuse-search src="…/">` for any site: a search field, and below it the hits of an export. Its shadow root keeps
 * styles of the site out. The Content-Security-Policy of the site needs no further rules for it.
 */
import type { Hit } from '../../../core/model/hit.ts';
import { anchorName } from '../../../core/text/anchor-name.ts';
import { snippetParts } from '../../../core/text/snippet-parts.ts';
import { openSite, type SiteData } from '../site/site-data.ts';
import { openStorage } from '../storage.ts';
import { STYLES } from './styles.ts';

const PAUSE_MS = 120;
const HITS = 10;

/** The storage key for the query of a page of the site. The query is shown again when the reader comes back from a hit. */
const KEPT = () => `docfuse-search ${location.pathname}`;

class DocfuseSearch extends HTMLElement {
  connectedCallback(): void {
    if (!this.shadowRoot) start(this, this.attachShadow({ mode: 'open' }));
  }
}

function start(host: HTMLElement, root: ShadowRoot): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  const label = host.getAttribute('label') ?? 'Search';
  const field = make('input', { type: 'search', placeholder: label, autocomplete: 'off', dir: 'auto' });
  field.setAttribute('aria-label', label);
  field.setAttribute('aria-controls', 'hits');
  const status = make('p', { className: 'status' });
  status.setAttribute('role', 'status');
  const list = make('ol', { id: 'hits', dir: 'auto' });
  root.append(field, status, list);

  let site: Promise<SiteData> | undefined;
  let stop = new AbortController();
  /** The query whose hits are in the list, and the query whose first hit opens as soon as it is found. */
  let [shown, entered] = ['', ''];
  const open = () => {
    site ??= openSite(new URL(host.getAttribute('src') ?? './', document.baseURI).href);
    site.catch(() => (site = undefined));
    return site;
  };
  const find = async (query: string, stopped: AbortSignal) => {
    const { index } = await open();
    return index.search(query, { topN: HITS, minDocuments: HITS }, stopped);
  };

  async function search(): Promise<void> {
    stop.abort();
    stop = new AbortController();
    const { signal } = stop;
    const query = field.value.trim();
    shown = '';
    if (query === '') {
      list.replaceChildren();
      status.textContent = '';
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    try {
      if (signal.aborted) return;
      const { state } = await find(query, signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
        site = undefined; // files may be missing because the export was renewed, so open it again
        return find(query, signal);
      });
      if (signal.aborted) return;
      const hits = [...state.hits, ...state.unsureHits];
      list.replaceChildren(...hits.map((hit) => showHit(host, hit)));
      shown = query;
      if (entered === query) openFirst();
      const count = `${hits.length} ${hits.length === 1 ? 'hit' : 'hits'}`;
      const read = state.corrections.map((each) => `“${each.typed}” is read as “${each.read}”`);
      status.textContent = hits.length === 0 ? 'Nothing found.' : [count, ...read].join(' · ');
    } catch {
      if (signal.aborted) return;
      site = undefined;
      status.textContent = 'The search could not be loaded. Try again.';
    }
  }

  /** Opens the first hit of the current query, now or as soon as it is found. */
  function openFirst(): void {
    entered = field.value.trim();
    if (shown === entered) list.querySelector('a')?.click();
  }

  const storage = openStorage(() => sessionStorage);
  const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (arrival?.type === 'back_forward') field.value = storage.getItem(KEPT()) ?? '';
  if (field.value !== '') void search();
  list.addEventListener('click', () => storage.setItem(KEPT(), field.value));
  field.addEventListener('input', () => void search());
  // Load the export early, so that it is ready when the first word is typed.
  field.addEventListener('focus', () => void open().catch(() => undefined), { once: true });
  root.addEventListener('keydown', (each) => {
    const event = each as KeyboardEvent;
    if (event.isComposing) return; // the key is for the input method
    const stops: HTMLElement[] = [field, ...root.querySelectorAll<HTMLElement>('a')];
    const at = stops.indexOf(root.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      stops[Math.min(Math.max(at + step, 0), stops.length - 1)]!.focus();
      event.preventDefault();
    } else if (event.key === 'Enter' && at === 0) {
      openFirst();
    } else if (event.key === 'Escape') {
      field.value = '';
      field.focus();
      void search();
    }
  });
}

function showHit(host: HTMLElement, hit: Hit): HTMLLIElement {
  const item = make('li', {});
  const link = make('a', {
    href: addressOf(host, hit),
    dir: 'auto',
    textContent: hit.headingPath[0] ?? hit.title,
  });
  const headings = make('span', {
    className: 'headings',
    dir: 'auto',
    textContent: hit.headingPath.slice(1).join(' › '),
  });
  item.append(link, headings, showSnippet(hit));
  return item;
}

function showSnippet({ snippet }: Hit): HTMLElement {
  const shown = make(snippet.code ? 'pre' : 'p', { dir: 'auto' });
  for (const { text, marked } of snippetParts(snippet))
    shown.append(marked ? make('mark', { textContent: text }) : text);
  return shown;
}

/**
 * The address of a hit. In the attribute `href`, `{path}` stands for the path without extension and `{anchor}` for the heading.
 * Without the attribute, hits lead to the page of the export.
 */
function addressOf(host: HTMLElement, { documentId, path, headingPath, startLine, endLine }: Hit): string {
  const pattern = host.getAttribute('href');
  const inPath = (text: string) => text.split('/').map(encodeURIComponent).join('/');
  if (pattern === null) {
    const address = new URL(host.getAttribute('src') ?? './', document.baseURI);
    address.search = String(new URLSearchParams({ doc: documentId, lines: `${startLine}-${endLine}` }));
    return address.href;
  }
  const heading = headingPath.length > 1 ? encodeURIComponent(anchorName(headingPath.at(-1)!)) : '';
  const filled = pattern
    .replaceAll('{path}', () => inPath(path.replace(/\.[^./]+$/, '')))
    .replaceAll('{anchor}', () => heading);
  const address = new URL(filled, document.baseURI);
  return /^https?:$/.test(address.protocol) ? address.href.replace(/#$/, '') : '';
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}

if (!customElements.get('docfuse-search')) customElements.define('docfuse-search', DocfuseSearch);
