/** Says why an answer from the index of a folder above has no documents. */
import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { OpenOptions } from '../../engine/api.ts';
import { pathInside } from '../../engine/path-inside.ts';

/** Says in an answer without documents that the index has none below the folder or file that the question was kept to. */
export async function explainNothing<Answer extends Readonly<Record<string, unknown>>>(
  answer: Answer,
  { open, within = [] }: { readonly open: OpenOptions; readonly within?: readonly string[] },
): Promise<Answer> {
  const { total, stats } = answer as {
    readonly total?: unknown;
    readonly stats?: { after_filters?: number };
  };
  if (total !== 0 && stats?.after_filters !== 0) return answer;
  const [path] = await withoutDocuments(
    open,
    within.filter((each) => existsSync(each)),
  );
  if (path === undefined) return answer;
  const { roots = [] } = open;
  const [root = ''] = roots.filter((each) => pathInside(each, path) !== undefined);
  const names = pathInside(root, path)?.split(sep) ?? [];
  const hidden = names.find((name) => name.startsWith('.') || name === 'node_modules');
  const reason = hidden
    ? `${hidden === 'node_modules' ? hidden : 'a hidden file or folder'} is left out`
    : 'an ignore file or a setting leaves it out, or it holds no Markdown';
  const place = relative(process.cwd(), path) || path;
  const notice = `The index of ${roots.join(', ')} has no documents below ${place}: ${reason}; --new-index makes one of its own.`;
  return { ...answer, notice };
}

/** The paths below which the index has no document. */
export async function withoutDocuments(
  options: OpenOptions,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const { open } = await import('../../engine/open.ts');
  await using index = await open(options);
  const totals = await Promise.all(paths.map((path) => index.list({ filters: { path: [path] }, limit: 1 })));
  return paths.filter((_, place) => totals[place]!.total === 0);
}
