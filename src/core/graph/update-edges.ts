/** Updates saved edges after documents changed. */
import type { Link } from '../model/document.ts';
import { createEdgeFinder, type LinkingDocument } from './link-edges.ts';
import { handleOf, handlesOf, spellings } from './link-resolver.ts';

export interface ChangedDocument {
  readonly document: LinkingDocument;
  readonly links: readonly Link[];
}

/** Documents by number. A changed document is removed under its former number, and added under its new number. */
export interface LinkChanges {
  readonly removed: ReadonlyMap<number, ChangedDocument>;
  readonly added: ReadonlyMap<number, ChangedDocument>;
}

/** All documents after the change. */
export interface LinkedDocuments {
  readonly document: (number: number) => LinkingDocument | undefined;
  readonly all: () => Iterable<LinkingDocument>;
  readonly links: () => Iterable<{ readonly document: number; readonly link: Link }>;
  readonly linksOf: (number: number) => readonly Link[];
}

/**
 * Resolves only links of changed documents and links that may mean an added, removed or renamed document. If the names and links
 * of a document are the same as before, only its number changes in the edges. The result is the same as resolving all links again.
 * @param edges the edges before the change, three numbers each: from, to, weight
 * @returns `isSame`: whether the same documents are linked as before, with the same weights
 */
export function updateEdges(edges: readonly number[], changes: LinkChanges, now: LinkedDocuments) {
  const keyOf = ({ document: { collection, path } }: ChangedDocument) => `${collection}/${path}`;
  const addedByKey = new Map([...changes.added.values()].map((one) => [keyOf(one), one]));
  const successorOf = (former: ChangedDocument) => addedByKey.get(keyOf(former));
  const affected = affectedDocuments(changes, successorOf, now);
  const updated: number[] = [];
  const former = new Set<string>();
  let isSame = true;
  const numberNow = (number: number) => {
    const former = changes.removed.get(number);
    return former ? successorOf(former)?.document.number : number;
  };
  for (let at = 0; at < edges.length; at += 3) {
    const [from, to, weight] = [numberNow(edges[at]!), numberNow(edges[at + 1]!), edges[at + 2]!];
    if (from === undefined || to === undefined) isSame = false;
    else if (affected.has(from)) former.add(`${from} ${to} ${weight}`);
    else updated.push(from, to, weight);
  }
  const find = affected.size > 0 ? createEdgeFinder(now.all()) : undefined;
  let found = 0;
  for (const number of affected) {
    const document = now.document(number);
    for (const [to, weight] of (document && find?.(document, now.linksOf(number))) ?? []) {
      updated.push(number, to, weight);
      found++;
      isSame &&= former.has(`${number} ${to} ${weight}`);
    }
  }
  return { edges: updated, isSame: isSame && found === former.size };
}

/**
 * Returns the documents whose links may lead to other documents than before.
 * @param successorOf returns the new version of a changed document
 */
function affectedDocuments(
  { removed, added }: LinkChanges,
  successorOf: (former: ChangedDocument) => ChangedDocument | undefined,
  now: LinkedDocuments,
): ReadonlySet<number> {
  const handles = new Map<string, Set<string>>();
  const affected = new Set<number>();
  const renew = ({ document }: ChangedDocument) => {
    const known = handles.get(document.collection) ?? new Set();
    handles.set(document.collection, known.union(handlesOf(document)));
  };
  const isNew = new Set(added.values());
  for (const former of removed.values()) {
    const successor = successorOf(former);
    if (successor) isNew.delete(successor);
    if (!successor || !hasSameNames(former, successor)) {
      renew(former);
      if (successor) renew(successor);
    }
    if (successor && !hasSameLinks(former, successor)) affected.add(successor.document.number);
  }
  for (const one of isNew) {
    renew(one);
    affected.add(one.document.number);
  }
  if (handles.size === 0) return affected;
  for (const { document: number, link } of now.links()) {
    const renamed = handles.get(now.document(number)?.collection ?? '');
    if (renamed && spellings(link).some((spelling) => renamed.has(handleOf(spelling)))) affected.add(number);
  }
  return affected;
}

function hasSameNames({ document: a }: ChangedDocument, { document: b }: ChangedDocument): boolean {
  return a.title === b.title && (a.aliases ?? []).join('\0') === (b.aliases ?? []).join('\0');
}

/** Whether two versions of a document have the same links. The lines of the links may differ. */
function hasSameLinks({ links: a }: ChangedDocument, { links: b }: ChangedDocument): boolean {
  const fieldsOf = ({ kind, target, anchor, label }: Link) => [kind, target, anchor, label];
  return a.length === b.length && JSON.stringify(a.map(fieldsOf)) === JSON.stringify(b.map(fieldsOf));
}
