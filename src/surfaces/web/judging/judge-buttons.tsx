/** Buttons that judge: how well a document answers a query, or that no document does. A second press takes the judgement back. */
import { usePage } from '../page.ts';
import './judging.css';
import type { Grade, JudgeProps, UnanswerableProps } from './judgements.ts';

const GRADES: readonly { readonly grade: Grade; readonly label: string; readonly thumb?: 'up' | 'down' }[] = [
  { grade: 2, label: 'Answers', thumb: 'up' },
  { grade: 1, label: 'Helps' },
  { grade: 0, label: 'Does not answer', thumb: 'down' },
];

export function JudgeButtons({ query, documentId, title }: JudgeProps) {
  const judgements = usePage().judgements!;
  const given = judgements.gradeOf(query, documentId);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that can be seen
    <div class="judge actions" role="group" aria-label={`How well ${title} answers the query`}>
      {GRADES.map(({ grade, label, thumb }) => (
        <button
          key={grade}
          type="button"
          aria-pressed={given === grade}
          onClick={() => void judgements.judge(query, documentId, grade)}
        >
          {thumb && <Thumb way={thumb} />}
          {label}
        </button>
      ))}
    </div>
  );
}

function Thumb({ way }: { readonly way: 'up' | 'down' }) {
  return (
    <svg class={`thumb ${way}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M2 10h3v10H2zM7 20V9.5L11 2c1.6 0 2.6 1.2 2.3 2.8L12.6 9H19a2 2 0 0 1 2 2.3l-1.2 7A2 2 0 0 1 17.8 20z" />
    </svg>
  );
}

export function UnanswerableButton({ query, collection: best }: UnanswerableProps) {
  const judgements = usePage().judgements!;
  const collection = best ?? judgements.kept.value?.answer?.sets[0]?.collection;
  if (collection === undefined) return null;
  return (
    <div class="judge">
      <button
        type="button"
        aria-pressed={judgements.unanswerableIn(query) !== undefined}
        onClick={() => void judgements.toggleUnanswerable(query, collection)}
      >
        Nothing here answers
      </button>
    </div>
  );
}
