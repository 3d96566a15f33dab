/** Asks for the map: rough places at once, then the computed ones, and again when the index changes. */
import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../page.ts';
import { filtersOf } from '../place.ts';
import type { Outcome } from '../session.ts';
import type { MapAnswer } from './map-graph.ts';

interface Known {
  /** The last answer. It stays while the server is away. */
  readonly answer?: MapAnswer | undefined;
  readonly problem?: Extract<Outcome<MapAnswer>, { problem: unknown }>['problem'] | undefined;
}

interface Changed {
  readonly documents?: readonly unknown[];
}

/** Milliseconds after a change before the map is asked for again: changes come together. */
const PAUSE_MS = 2_000;

export function useMap(): Known {
  const { session, place, live } = usePage();
  const [known, setKnown] = useState<Known>({});
  const asked = JSON.stringify(filtersOf(place.value.filters));

  useEffect(() => {
    let stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = '';

    async function read({ signal }: AbortController): Promise<void> {
      // A picture that is there is not replaced by a rough one.
      for (let wait = last !== ''; ; wait = true) {
        const outcome = await session.ask('/api/map', { ...JSON.parse(asked), wait }, signal);
        if (!outcome || signal.aborted) return;
        if ('problem' in outcome) {
          // The server goes on computing.
          if (outcome.problem.code === 'took_too_long') continue;
          setKnown(({ answer }) => ({ answer, problem: outcome.problem }));
          return;
        }
        const { answer } = outcome;
        const text = JSON.stringify(answer);
        // An equal answer would only draw the same picture again.
        setKnown((before) => ({ answer: text === last ? (before.answer ?? answer) : answer }));
        last = text;
        if (answer.is_final) return;
      }
    }

    function start(): void {
      stop.abort();
      stop = new AbortController();
      void read(stop);
    }

    const unfollow = live.follow(({ event, data }) => {
      const isChange = ((data as Changed).documents?.length ?? 0) > 0;
      if (event !== 'reset' && !isChange) return;
      clearTimeout(timer);
      if (last === '') start();
      else timer = setTimeout(start, PAUSE_MS);
    });
    return () => {
      unfollow();
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked]);
  return known;
}
