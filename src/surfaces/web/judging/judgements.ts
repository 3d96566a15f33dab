/** The grades that the user gave. The server keeps them. A change is shown at once, and taken back if it cannot be saved. */
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createSerialQueue } from '../../../engine/tasks.ts';
import type { AnswerTo, Outcome, Session } from '../session.ts';

export type Sets = AnswerTo<'/api/judged'>['sets'];
export type Grade = 0 | 1 | 2;

export interface JudgeProps {
  readonly query: string;
  readonly documentId: string;
  readonly title: string;
}

export interface UnanswerableProps {
  readonly query: string;
  /** Collection of the best hit. @default the first collection */
  readonly collection?: string | undefined;
}

type Kept = Outcome<AnswerTo<'/api/judged'>> | undefined;

/** @param message shows why a grade could not be saved */
export function createJudgements(session: Session, isOn: () => boolean, message: Signal<string>) {
  const kept = signal<Kept>();
  const changed = signal<ReadonlyMap<string, number | undefined>>(new Map());
  const sets = computed(() => kept.value?.answer?.sets ?? []);
  const grades = computed(() => {
    const given = sets.value.flatMap(({ queries }) =>
      queries.flatMap(({ query, judgements }) =>
        judgements.map(({ document_id, grade }) => [keyOf(query, document_id), grade] as const),
      ),
    );
    return new Map<string, number | undefined>([...given, ...changed.value]);
  });
  const marking = signal<{ readonly query: string; readonly collection: string | undefined } | undefined>();
  // Grades are saved one after another in the order of the clicks, so that an earlier grade cannot replace a later one.
  const inOrder = createSerialQueue();

  async function load(): Promise<void> {
    const outcome = await session.ask('/api/judged', {});
    if (outcome) kept.value = outcome;
  }

  function save(input: Parameters<typeof session.ask<'/api/judge'>>[1]): Promise<void> {
    return inOrder(async () => {
      const outcome = await session.ask('/api/judge', input);
      if (outcome?.problem) message.value = `Not saved. ${outcome.problem.detail} ${outcome.problem.remedy}`;
      await load();
    });
  }

  /** The collection that was judged to have no answer to the query; undefined without such a judgement. */
  function unanswerableIn(asked: string): string | undefined {
    const query = asked.trim();
    if (marking.value?.query === query) return marking.value.collection;
    return sets.value.find(({ queries }) => queries.some((each) => each.unanswerable && each.query === query))
      ?.collection;
  }

  /** Whether any document has a grade above 0 for the query, saved or on its way to the server. */
  function isAnswered(query: string): boolean {
    return [...grades.value].some(([key, grade]) => grade && JSON.parse(key)[0] === query);
  }

  const isSaving = computed(isOn);
  effect(() => {
    if (isSaving.value) void load();
  });

  return {
    /** The grades that the server keeps; undefined until it has answered. */
    kept: kept as ReadonlySignal<Kept>,
    load,
    /** The grade of a document for a query; undefined without one. */
    gradeOf: (query: string, documentId: string) => grades.value.get(keyOf(query, documentId)),
    /** Saves a grade. If the document already has this grade, removes it. */
    async judge(query: string, documentId: string, grade: Grade): Promise<void> {
      const key = keyOf(query, documentId);
      const isTakenBack = grades.value.get(key) === grade;
      const mine = new Map([...changed.value, [key, isTakenBack ? undefined : grade] as const]);
      changed.value = mine;
      message.value = '';
      const change = isTakenBack ? { remove: true } : { grades: [`${grade}` as const] };
      await save({ query: query.trim(), documents: [documentId], ...change });
      // All changes are saved and read back now, unless a later click added one.
      if (changed.value === mine) changed.value = new Map();
    },
    unanswerableIn,
    /** Judges that no document of a collection answers the query. If that is judged already, removes the judgement. Grades stay. */
    async toggleUnanswerable(asked: string, best: string): Promise<void> {
      const query = asked.trim();
      const judged = unanswerableIn(query);
      if (judged === undefined && isAnswered(query)) {
        message.value =
          'Not saved: a document has the grade “Answers” or “Helps” for this query. Take that grade back first.';
        return;
      }
      const remove = judged !== undefined;
      const mine = { query, collection: remove ? undefined : best };
      marking.value = mine;
      message.value = '';
      await save({ query, collection: judged ?? best, unanswerable: true, remove });
      if (marking.value === mine) marking.value = undefined;
    },
    /** Removes a query of a collection, with all its grades. */
    forget: (query: string, collection: string) => save({ query, collection, remove: true }),
  };
}

function keyOf(query: string, documentId: string): string {
  return JSON.stringify([query.trim(), documentId]);
}
