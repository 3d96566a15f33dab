/** Documents as resources: `docfuse://{collection}/{+path}`. */

export const DOCUMENT_TEMPLATE = 'docfuse://{collection}/{+path}';

export function documentUri({
  collection,
  path,
}: {
  readonly collection: string;
  readonly path: string;
}): string {
  return `docfuse://${encodeURIComponent(collection)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Id of the document a URI means; undefined for a URI that means none. */
export function documentOf(uri: string): string | undefined {
  const [, collection, path] = /^docfuse:\/\/([^/?#]+)\/([^?#]+)$/i.exec(uri) ?? [];
  if (collection === undefined || path === undefined) return undefined;
  try {
    return `${decodeURIComponent(collection)}/${path.split('/').map(decodeURIComponent).join('/')}`;
  } catch {
    return undefined; // a percent sign that begins nothing
  }
}
