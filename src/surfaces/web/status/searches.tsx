/** How long the last searches took. */

import type { StatusAnswer } from './live-status.ts';
import { Plot } from './plot.tsx';

type Searches = NonNullable<StatusAnswer['server']>['searches'];

export function SearchTimes({
  searches: { count, recent_ms: recent, p50_ms, p95_ms },
}: {
  readonly searches: Searches;
}) {
  return (
    <section aria-labelledby="searches">
      <h2 id="searches">Searches</h2>
      {p50_ms === undefined || p95_ms === undefined ? (
        <p>No searches since the server started.</p>
      ) : (
        <>
          <p>
            {recent.length < count ? `Of the last ${recent.length} searches` : 'Since the server started'},
            half were answered within <b>{milliseconds(p50_ms)}</b>, and 95 % within{' '}
            <b>{milliseconds(p95_ms)}</b>. The slowest took {milliseconds(Math.max(...recent))}, the last one{' '}
            {milliseconds(recent.at(-1)!)}.
          </p>
          <Plot
            bars={recent.map((each) => Math.max(MIN_SHOWN, each))}
            lines={[p50_ms, p95_ms].map((each) => Math.max(MIN_SHOWN, each))}
            labels={{ x: 'searches, the last one on the right', y: 'milliseconds' }}
            logarithmic
          />
          <p class="quiet">
            A bar is a search. The broken lines are at {milliseconds(p50_ms)} and {milliseconds(p95_ms)}. The
            server keeps the times of 200 searches, and none of their queries.
          </p>
        </>
      )}
    </section>
  );
}

/** A logarithmic axis has no zero. */
const MIN_SHOWN = 0.1;

function milliseconds(value: number): string {
  return `${value.toLocaleString(undefined, { maximumSignificantDigits: 2 })} ms`;
}
