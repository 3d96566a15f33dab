/** Reads and cuts one file, in steps: all that an index takes in of it. */
import { chunkInSteps } from '../../core/chunk/chunk-document.ts';
import { contentHash } from '../../core/chunk/chunk-head.ts';
import { embeddingText } from '../../core/chunk/embedding-text.ts';
import { parseInSteps } from '../../core/markdown/parse-document.ts';
import type { NewDocument, SourceText } from '../../core/ports.ts';
import type { Steps } from '../../core/steps.ts';
import type { WorkspaceParts } from '../workspace/workspace.ts';
import type { FoundFile } from './list-files.ts';

export interface CutDocument {
  readonly document: NewDocument;
  /** The whole body. */
  readonly text: string;
}

export function* cutDocument(
  { id, collection, file }: FoundFile,
  content: SourceText,
  { chunking, hash }: Pick<WorkspaceParts, 'chunking' | 'hash'>,
): Steps<CutDocument> {
  const { path, size, modified, altered } = file;
  const parsed = yield* parseInSteps(path, content.text);
  const { chunks, parents } = yield* chunkInSteps(id, parsed, chunking);
  const vectorKeys: string[] = [];
  const contents: number[] = [];
  for (const chunk of chunks) {
    vectorKeys.push(hash(embeddingText(chunk)));
    contents.push(contentHash(chunk));
    yield;
  }
  const { title, description, keywords, tags, aliases, author, category, date } = parsed;
  const { text, firstLine, frontMatter, links } = parsed;
  const document = {
    ...{ id, collection, path, size, modified, altered, hash: content.hash },
    ...{ firstLine, frontMatter, links, chunks, parents, vectorKeys, contents },
    warnings: [...content.warnings, ...parsed.warnings],
    fields: {
      title,
      keywords,
      tags,
      aliases,
      ...(description === undefined ? {} : { description }),
      ...(author === undefined ? {} : { author }),
      ...(category === undefined ? {} : { category }),
      ...(date === undefined ? {} : { date }),
    },
  };
  return { document, text };
}
