/** Makes HTML of documents safe: no scripts or styles, no names that hide variables of the page, nothing that loads by itself. */
import createPurifier from 'dompurify';
import { anchorName } from '../../core/text/anchor-name.ts';
import { TASK, WIKI } from './shared-rules.ts';

/** Name of the attribute for the address of a picture that is not loaded. */
export const PICTURE = 'data-picture';
/** Name of the attribute for the first line of a block in the file; `LAST_LINE` names its last one. */
export const LINE = 'data-line';
export const LAST_LINE = 'data-last-line';
/** Name of the attribute that holds the name of a heading or a footnote, as links write it after `#`. */
export const ANCHOR = 'data-anchor';

/** Elements that show text. Forms, frames, media, styles and parts of a page are left out; their text stays. */
const TAGS = (
  'a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure ' +
  'h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup ' +
  'table tbody td tfoot th thead time tr u ul var wbr'
).split(' ');

/** No `class` or `style`, which could imitate the page; no `id` or `name`, which could hide variables of the page. */
const ATTRIBUTES = (
  'href title alt src colspan rowspan scope start align lang dir open datetime ' +
  [LINE, LAST_LINE, WIKI, TASK, ANCHOR].join(' ')
).split(' ');

/** Pictures that are embedded as `data:` addresses. SVG is left out: it is a document, which may contain more than a picture. */
const INSIDE = /^data:image\/(?:png|jpeg|gif|webp|avif);/i;

/** Returns a function that turns untrusted HTML into a safe fragment. */
export function createSanitiser(): (html: string) => DocumentFragment {
  const purifier = createPurifier(window);
  purifier.addHook('beforeSanitizeAttributes', (node) => {
    if (node.id) node.setAttribute(ANCHOR, anchorName(node.id));
  });
  purifier.addHook('afterSanitizeAttributes', (node) => {
    const address = node.getAttribute('src');
    if (address === null || (node.nodeName === 'IMG' && INSIDE.test(address))) return;
    node.removeAttribute('src');
    node.setAttribute(PICTURE, address);
  });
  return (html) =>
    purifier.sanitize(html, {
      ALLOWED_TAGS: TAGS,
      ALLOWED_ATTR: ATTRIBUTES,
      ALLOW_ARIA_ATTR: false,
      ALLOW_DATA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    });
}
