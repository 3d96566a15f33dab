/** A button that says that no document answers the query. Pressing it again takes that back. */
import { usePage } from '../page.ts';
import './judging.css';

interface Props {
  readonly query: string;
  /** Collection of the best hit. @default the first collection */
  readonly collection?: string | undefined;
}

export function UnanswerableButton({ query, collection: best }: Props) {
  const judgements = usePage().judgements!;
  const kept = judgements.kept.value;
  const collection = best ?? kept?.answer?.sets[0]?.collection;
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
