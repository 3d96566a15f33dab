/** Asks a language model about the current query when the user wants it, and keeps the text that has arrived. */
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { filtersOf, type Place } from '../place.ts';
import type { AnswerTo, Outcome, Session } from '../session.ts';

export type Written = AnswerTo<'/api/ask'>;

export interface Shown {
  readonly text: string;
  readonly phase: 'searching' | 'writing' | 'done' | 'stopped';
  readonly outcome?: Outcome<Written>;
}

const NOT_SET_UP =
  'No language model is set up. Set base_url and model under [answer] in docfuse.toml, then start the server again.';

/**
 * @param isOffered whether a language model is set up
 * @param message if no language model is set up: gets a text that says how to set one up
 */
export function createAsking(
  session: Session,
  place: ReadonlySignal<Place>,
  isOffered: () => boolean,
  message: Signal<string>,
) {
  const shown = signal<Shown | undefined>();
  const asked = computed(() => JSON.stringify(inputOf(place.value)));
  let stop = new AbortController();

  function change(next: Partial<Shown>): void {
    shown.value = { text: '', phase: 'searching', ...shown.value, ...next };
  }

  async function run({ signal: stopped }: AbortController): Promise<void> {
    const outcome = await session.ask('/api/ask', inputOf(place.value), stopped, (event, data) => {
      if (event !== 'text' || stopped.aborted) return;
      const { text } = data as { readonly text: string };
      change({ phase: 'writing', text: (shown.value?.text ?? '') + text });
    });
    if (outcome && !stopped.aborted) change({ phase: 'done', outcome });
  }

  effect(() => {
    void asked.value;
    stop.abort();
    shown.value = undefined;
  });

  return {
    /** Undefined if nothing was asked about the present query and its filters. */
    shown: shown as ReadonlySignal<Shown | undefined>,
    /** Does nothing without a query. */
    ask(): void {
      if (place.value.query.trim() === '') return;
      if (!isOffered()) {
        if (session.connection) message.value = NOT_SET_UP;
        return;
      }
      stop.abort();
      stop = new AbortController();
      shown.value = { text: '', phase: 'searching' };
      void run(stop);
    },
    /** Stops the answer. The text that has arrived stays. */
    stop(): void {
      stop.abort();
      change({ phase: 'stopped' });
    },
  };
}

function inputOf({ query, preset, filters }: Place) {
  return { question: query.trim(), preset, ...filtersOf(filters), sync: false, wait: false };
}
