/** One line that says how many hits there are, or what happens now. Screen readers are told of finished searches only. */
import type { Answer } from './finder.ts';
import { usePage } from './page.ts';

const NOW = { words: '', meaning: ' · searching by meaning', order: ' · reordering' } as const;

export function StatusLine() {
  const { session, finder, place, parts } = usePage();
  const found = finder.found.value;
  const phase = finder.phase.value;
  const isAway = session.connection?.isAway.value;
  const isAsked = place.value.query.trim() !== '';
  const counted = found?.answer && isAsked ? countOf(found.answer) : '';
  const shown = isAway ? 'The server does not answer. Asking again every two seconds.' : counted;
  return (
    <p class="status">
      <span role="status">{isAway || !phase ? shown : ''}</span>
      {!isAway && phase && (
        <span aria-hidden="true">
          {/* Say that the search runs: loading files of an export may take a while. */}
          {phase === 'words' && !session.connection ? 'searching' : counted + NOW[phase]}
        </span>
      )}{' '}
      {parts && <parts.NewHits />}
    </p>
  );
}

function countOf({ hits, unsure }: Answer) {
  const sure = `${hits.length} ${hits.length === 1 ? 'hit' : 'hits'}`;
  return unsure.length === 0 ? sure : `${sure}, ${unsure.length} not sure`;
}
