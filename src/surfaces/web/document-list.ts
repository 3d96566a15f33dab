/** The request for the list of documents that is shown without a query, and the answer to it. */
import type { listDocuments } from '../operations/list.ts';
import type { AnswerOf } from '../operations/operation.ts';
import { filtersOf, type Place } from './place.ts';

export type Listed = AnswerOf<typeof listDocuments>;

/** Number of documents that the list shows at first, and adds at each press of the button. */
export const PAGE = 30;

/** The request for the first part of the list. */
export const inputOfList = ({ filters, sort }: Place) => ({ ...filtersOf(filters), sort, limit: PAGE });
