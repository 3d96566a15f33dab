/** Updates edges after documents changed. */
import type { Link } from '../model/document.ts';
import type { LinkEdges } from '../model/saved-state.ts';
import { createLinkFinder, edgesFrom, joinEdges, type LinkingDocument } from './link-edges.ts';
import type { LinkedDocuments } from './link-graph.ts';
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
export interface DocumentsNow extends LinkedDocuments {
  readonly links: () => Iterable<{ readonly document: number; readonly link: Link }>;
}

/**
 * Resolves only links of changed documents and links that may mean an added, removed or renamed document. If the names and links
 * of a document are the same as before, only its number changes in the edges. The result is the same as resolving all links again.
 * @param before the edges before the change
 * @returns `isSame`: whether the same documents are linked as before, with the same weights
 */
export function updateEdges(
  before: LinkEdges,
  changes: LinkChanges,
  now: DocumentsNow,
): { readonly edges: LinkEdges; readonly isSame: boolean } {
  const keyOf = ({ document: { collection, path } }: ChangedDocument) => `${collection}/${path}`;
  const addedByKey = new Map([...changes.added.values()].map((one) => [keyOf(one), one]));
  const successorOf = (former: ChangedDocument) => addedByKey.get(keyOf(former));
  const affected = affectedDocuments(changes, successorOf, now);
  const [linked, broken]: [number[], number[]] = [[], []];
  const former = new Set<string>();
  let isSame = true;
  const numberNow = (number: number) => {
    const former = changes.removed.get(number);
    return former ? successorOf(former)?.document.number : number;
  };
  for (let at = 0; at < before.linked.length; at += 4) {
    const [from, to] = [numberNow(before.linked[at]!), numberNow(before.linked[at + 1]!)];
    const [weight, count] = [before.linked[at + 2]!, before.linked[at + 3]!];
    if (from === undefined || to === undefined) isSame = false;
    else if (affected.has(from)) former.add(`${from} ${to} ${weight}`);
    else linked.push(from, to, weight, count);
  }
  for (let at = 0; at < before.broken.length; at += 2) {
    const source = numberNow(before.broken[at]!);
    if (source !== undefined && !affected.has(source)) broken.push(source, before.broken[at + 1]!);
  }
  const find = affected.size > 0 ? createLinkFinder(now.all()) : undefined;
  const renewed = [...affected].flatMap((number) => {
    const document = now.document(number);
    return document && find ? [edgesFrom(document, now.linksOf(number), find)] : [];
  });
  const found = joinEdges(renewed).linked;
  for (let at = 0; at < found.length; at += 4)
    isSame &&= former.has(`${found[at]} ${found[at + 1]} ${found[at + 2]}`);
  return {
    edges: joinEdges([{ linked, broken }, ...renewed]),
    isSame: isSame && found.length === former.size * 4,
  };
}

/**
 * Returns the documents whose links may lead to other documents than before.
 * @param successorOf returns the new version of a changed document
 */
function affectedDocuments(
  { removed, added }: LinkChanges,
  successorOf: (former: ChangedDocument) => ChangedDocument | undefined,
  now: DocumentsNow,
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
