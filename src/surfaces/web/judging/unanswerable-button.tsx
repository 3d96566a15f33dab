/** A button that says that no document answers the query. Pressing it again removes the query from what was judged. */
import { usePage } from '../page.ts';
import './judging.css';

interface Props {
  readonly query: string;
  readonly collection: string;
}

export function UnanswerableButton({ query, collection }: Props) {
  const { judgements, message } = usePage();
  const judged = judgements.unanswerableIn(query);
  function toggle(): void {
    message.value = '';
    void (judged === undefined
      ? judgements.markUnanswerable(query, collection)
      : judgements.forget(query.trim(), judged));
  }
  return (
    <div class="judge">
      <button type="button" aria-pressed={judged !== undefined} onClick={toggle}>
        Nothing here answers
      </button>
    </div>
  );
}
