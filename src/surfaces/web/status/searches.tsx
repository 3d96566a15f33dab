/** How long the last searches took, by words and with meaning. */

import type { StatusAnswer } from './live-status.ts';
import { Plot } from './plot.tsx';

type Searches = NonNullable<StatusAnswer['server']>['searches'];
type Times = NonNullable<Searches['by_words']>;

export function SearchTimes({ searches: { by_words, with_meaning } }: { readonly searches: Searches }) {
  return (
    <section aria-labelledby="searches">
      <h2 id="searches">Searches</h2>
      {by_words && <Kind name="By words" times={by_words} />}
      {with_meaning && <Kind name="With meaning" times={with_meaning} />}
      <p class="quiet">
        {by_words || with_meaning
          ? 'A bar is a search. The page searches by words at each key press. The server keeps the times of 200 searches of each kind, and none of their queries.'
          : 'No searches since the server started.'}
      </p>
    </section>
  );
}

function Kind({
  name,
  times: { count, recent_ms: recent, p50_ms, p95_ms },
}: {
  readonly name: string;
  readonly times: Times;
}) {
  return (
    <>
      <h3>{name}</h3>
      <p>
        {recent.length < count ? `Of the last ${recent.length} searches` : 'Since the server started'}, half
        were answered within <b>{milliseconds(p50_ms)}</b>, and 95 % within <b>{milliseconds(p95_ms)}</b>. The
        slowest took {milliseconds(Math.max(...recent))}, the last one {milliseconds(recent.at(-1)!)}.
      </p>
      <Plot
        bars={recent.map((each) => Math.max(MIN_SHOWN, each))}
        lines={[p50_ms, p95_ms].map((each) => Math.max(MIN_SHOWN, each))}
        labels={{ x: 'searches, the last one on the right', y: 'milliseconds' }}
        logarithmic
      />
    </>
  );
}

/** A logarithmic axis has no zero. */
const MIN_SHOWN = 0.1;

function milliseconds(value: number): string {
  return `${value.toLocaleString(undefined, { maximumSignificantDigits: 2 })} ms`;
}
