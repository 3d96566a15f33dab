/** Switches search by meaning on or off in an export. The label says how much the browser loads for it. */
import { formatBytes } from '../../core/text/format-numbers.ts';
import { usePage } from './page.ts';
import type { MeaningState } from './session.ts';

const TOLD: Readonly<Record<MeaningState, string>> = {
  off: '',
  loading: 'Loading. Until then, this page finds by words.',
  ready: 'Found by words and meaning.',
  failed: '',
};

export function MeaningSwitch() {
  const meaning = usePage().session.meaning?.value;
  if (!meaning) return null;
  const state = meaning.state.value;
  const problem = meaning.problem.value;
  return (
    <div class="meaning">
      <label>
        <input
          type="checkbox"
          checked={state === 'loading' || state === 'ready'}
          onChange={({ currentTarget }) => meaning.switchTo(currentTarget.checked)}
        />
        Search by meaning too ({formatBytes(meaning.bytes)})
      </label>
      {state === 'loading' && (
        <progress aria-label="Loaded of the model" max={meaning.bytes} value={meaning.loaded} />
      )}
      <span role="status">{problem ? `${problem} Words alone were searched.` : TOLD[state]}</span>
    </div>
  );
}
