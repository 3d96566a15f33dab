/** Asks for the map: rough places at once, then the computed ones, and again when the index changes. */
import { useEffect, useState } from 'preact/hooks';
import { readAgain } from '../live.ts';
import { usePage } from '../page.ts';
import { filtersOf } from '../place.ts';
import type { Told } from '../session.ts';
import type { MapAnswer } from './map-graph.ts';

interface Known {
  /** The last answer. It stays while the server is away. */
  readonly answer?: MapAnswer | undefined;
  readonly problem?: Told | undefined;
}

export function useMap(): Known {
  const { session, place, live } = usePage();
  const [known, setKnown] = useState<Known>({});
  const asked = JSON.stringify(filtersOf(place.value.filters));

  useEffect(() => {
    let last = '';

    async function read(signal: AbortSignal): Promise<void> {
      // After the first answer, wait for the computed places: rough places must not replace a picture.
      for (let wait = last !== ''; ; wait = true) {
        const outcome = await session.ask('/api/map', { ...JSON.parse(asked), wait }, signal);
        if (!outcome || signal.aborted) return;
        if (outcome.problem) {
          // The server goes on computing, so ask again.
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

    return readAgain(live, (stop) => void read(stop));
  }, [asked]);
  return known;
}
