/** Answers are written twice, as interfaces for programs and as schemas for the wire: the fields of both are the same, to the last one. */
import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type { Check, SearchResult, Status, SyncReport } from '../../../src/engine/api.ts';
import type {
  CollectionFacts,
  DocumentAudit,
  DocumentGraph,
  DocumentList,
  DocumentMap,
  DocumentText,
  RelatedDocuments,
  TagCount,
} from '../../../src/engine/documents/documents-api.ts';
import type { Filters } from '../../../src/engine/filters.ts';
import type { audit } from '../../../src/surfaces/operations/audit.ts';
import type { doctor } from '../../../src/surfaces/operations/doctor.ts';
import type { indexFiles } from '../../../src/surfaces/operations/index-files.ts';
import type {
  documentMap,
  linkGraph,
  listCollections,
  listDocuments,
  listTags,
} from '../../../src/surfaces/operations/list.ts';
import type { readDocument } from '../../../src/surfaces/operations/read-document.ts';
import type { relatedDocuments } from '../../../src/surfaces/operations/related-documents.ts';
import type { search } from '../../../src/surfaces/operations/search.ts';
import type { filtersShape } from '../../../src/surfaces/operations/shapes.ts';
import type { status } from '../../../src/surfaces/operations/status.ts';
import type { Wire } from '../../../src/surfaces/operations/wire.ts';

/** `hits.snippet.text` and so on; parts of an explanation are explanations. */
type Fields<T, Prefix extends string = ''> = T extends readonly (infer Item)[]
  ? Fields<Item, Prefix>
  : T extends object
    ? {
        [K in keyof T & string]-?:
          | `${Prefix}${K}`
          | (K extends 'parts' ? never : Fields<NonNullable<T[K]>, `${Prefix}${K}.`>);
      }[keyof T & string]
    : never;

type Known<T> = Fields<Wire<T>>;
type Sent<Operation extends { readonly output: z.ZodType }> = Fields<z.output<Operation['output']>>;

// Inferred from schemas, interfaces would lose what they say of each field and bring zod into the types of programs.
// That each answer fits its schema is seen where it is given; this sees what only one of them has. `tsc` runs it.
test('interfaces and schemas have the same fields', () => {
  expectTypeOf<Sent<typeof search>>().toEqualTypeOf<Known<SearchResult>>();
  expectTypeOf<Sent<typeof readDocument>>().toEqualTypeOf<Known<DocumentText>>();
  expectTypeOf<Sent<typeof relatedDocuments>>().toEqualTypeOf<Known<RelatedDocuments>>();
  expectTypeOf<Sent<typeof listDocuments>>().toEqualTypeOf<Known<DocumentList>>();
  expectTypeOf<Sent<typeof listTags>>().toEqualTypeOf<Known<{ tags: readonly TagCount[] }>>();
  expectTypeOf<Sent<typeof listCollections>>().toEqualTypeOf<
    Known<{ collections: readonly CollectionFacts[] }>
  >();
  expectTypeOf<Sent<typeof linkGraph>>().toEqualTypeOf<Known<DocumentGraph>>();
  expectTypeOf<Sent<typeof documentMap>>().toEqualTypeOf<Known<DocumentMap>>();
  expectTypeOf<Sent<typeof audit>>().toEqualTypeOf<Known<DocumentAudit>>();
  expectTypeOf<Sent<typeof doctor>>().toEqualTypeOf<Known<{ healthy: boolean; checks: readonly Check[] }>>();
  // The operation says what it was asked.
  expectTypeOf<Exclude<Sent<typeof indexFiles>, 'dry_run'>>().toEqualTypeOf<Known<SyncReport>>();
  // A server adds what it is doing.
  expectTypeOf<Exclude<Sent<typeof status>, `server${string}`>>().toEqualTypeOf<Known<Status>>();
  expectTypeOf<keyof z.output<typeof filtersShape>>().toEqualTypeOf<keyof Filters>();
});
