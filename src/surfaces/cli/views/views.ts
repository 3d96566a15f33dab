/** The views of all operations. A view is loaded when its answer is printed. */
import { createOption, type Option } from 'commander';
import type { AnswerOf, Operation } from '../../operations/operation.ts';
import type { AnyOperation } from '../../operations/operations.ts';
import { toNumber } from '../options.ts';
import { POLL } from '../watch.ts';
import type { View } from './view.ts';

/** How an operation's answer is shown. */
export interface ViewEntry<Of extends Pick<Operation, 'output'>> {
  /** Options for the form of the answer; all conflict with `--json`. */
  readonly forms?: readonly Option[];
  /** Other options of the command that the operation does not have. */
  readonly options?: readonly Option[];
  /** Whether the answer is a failure: the command ends with 1. */
  failed?(answer: AnswerOf<Of>, options: Readonly<Record<string, unknown>>): boolean;
  load(): Promise<View<Of>>;
}

function noHit(
  { hits }: { readonly hits: readonly unknown[] },
  options: Readonly<Record<string, unknown>>,
): boolean {
  return options.exitStatus === true && hits.length === 0;
}

type Named<Name extends AnyOperation['name']> = Extract<AnyOperation, { readonly name: Name }>;

export const views: { readonly [Name in AnyOperation['name']]: ViewEntry<Named<Name>> } = {
  search: {
    forms: [
      createOption('--files', 'print only the paths of the documents, best first').conflicts('explain'),
      createOption(
        '--context',
        'print whole passages with numbered citations path:start-end, ready to paste into a prompt',
      ).conflicts(['files', 'explain']),
      createOption('--jsonl', 'print JSON, one hit a line').conflicts(['files', 'context']),
    ],
    options: [
      createOption('--exit-status', 'end with 1 where there is no hit, as grep does'),
      createOption(
        '--open [number]',
        'open the first hit, or the one of this number, in $VISUAL or $EDITOR',
      ).argParser(toNumber),
      createOption('--limit <number>', 'like --top-n').argParser(toNumber).conflicts('topN').hideHelp(),
    ],
    failed: noHit,
    load: async () => (await import('./search.ts')).searchView,
  },
  search_with_hypothesis: { failed: noHit, load: async () => (await import('./search.ts')).searchView },
  search_everywhere: { failed: noHit, load: async () => (await import('./search.ts')).searchEverywhereView },
  ask: { load: async () => (await import('./ask.ts')).askView },
  index: {
    options: [
      createOption('--watch', 'keep running and follow changes of the files').conflicts(['dryRun', 'embed']),
      createOption('--poll', `${POLL}; implies --watch`).implies({ watch: true }),
    ],
    // With --watch they are still made once the service answers.
    failed: ({ embedding_error }, { watch }) => embedding_error !== undefined && !watch,
    load: async () => (await import('./index-files.ts')).indexFilesView,
  },
  read: { load: async () => (await import('./read.ts')).readView },
  related: { load: async () => (await import('./related.ts')).relatedView },
  list: { load: async () => (await import('./list.ts')).listView },
  list_tags: { load: async () => (await import('./list.ts')).tagsView },
  list_collections: { load: async () => (await import('./list.ts')).collectionsView },
  graph: { load: async () => (await import('./list.ts')).graphView },
  status: { load: async () => (await import('./status.ts')).statusView },
  list_indexes: { load: async () => (await import('./indexes.ts')).listIndexesView },
  remove_index: { load: async () => (await import('./indexes.ts')).removeIndexView },
  list_models: { load: async () => (await import('./models.ts')).listModelsView },
  pull_model: { load: async () => (await import('./models.ts')).pullModelView },
  remove_model: { load: async () => (await import('./models.ts')).removeModelView },
  locate_model: { load: async () => (await import('./models.ts')).locateModelView },
  doctor: {
    failed: ({ healthy }) => !healthy,
    load: async () => (await import('./doctor.ts')).doctorView,
  },
  config: { load: async () => (await import('./config.ts')).configView },
  config_schema: { load: async () => (await import('./config.ts')).configSchemaView },
  config_init: { load: async () => (await import('./config.ts')).configInitView },
  eval: { load: async () => (await import('./evaluate.ts')).evaluateView },
  judge: { load: async () => (await import('./evaluate.ts')).judgeView },
  tune: { load: async () => (await import('./tune.ts')).tuneView },
  mcp_install: {
    failed: ({ outcome }) => outcome === 'refused',
    load: async () => (await import('./install-mcp.ts')).installMcpView,
  },
};
