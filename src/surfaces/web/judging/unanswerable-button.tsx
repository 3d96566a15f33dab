/** A button that says that no document answers the query. Pressing it again takes that back. */
import { usePage } from '../page.ts';
import './judging.css';

interface Props {
  readonly query: string;
  readonly collection: string;
}

export function UnanswerableButton({ query, collection }: Props) {
  const { judgements } = usePage();
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
