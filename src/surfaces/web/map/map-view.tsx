/** The map: linked documents by community. The open document, the hits and a chosen community stand out. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ProblemNotice } from '../controls.tsx';
import { FilterBar } from '../filter-bar.tsx';
import { readAgain } from '../live.ts';
import { usePage } from '../page.ts';
import { filtersOf } from '../place.ts';
import type { Told } from '../session.ts';
import { Communities } from './map-communities.tsx';
import { MapFinder } from './map-finder.tsx';
import type { MapAnswer } from './map-graph.ts';
import { createPicture, type Picture } from './map-picture.ts';
import './map.css';

export function MapView() {
  const { answer, problem } = useMap();
  return (
    <div class="map-view">
      <FilterBar />
      {!answer && !problem && (
        <p class="status" role="status">
          Reading the links…
        </p>
      )}
      <ProblemNotice of={{ problem }} />
      {answer && <Shown answer={answer} />}
    </div>
  );
}

function Shown({ answer }: { readonly answer: MapAnswer }) {
  const { place } = usePage();
  const [community, setCommunity] = useState<number | undefined>();
  const canDraw = useMemo(hasWebgl, []);
  useEffect(() => setCommunity(undefined), [place.value.document?.id]);
  if (answer.documents.ids.length === 0)
    return <p class="notice">{whyEmpty(answer, place.value.filters.length)}</p>;
  return (
    <>
      <Summary answer={answer} />
      <div class="map-parts">
        {canDraw ? (
          <Drawn answer={answer} community={community} />
        ) : (
          <p class="notice">
            This browser has no WebGL, so the map cannot be drawn. The list has the same documents by
            community.
          </p>
        )}
        <Communities answer={answer} chosen={community} choose={setCommunity} />
      </div>
    </>
  );
}

function hasWebgl(): boolean {
  const canvas = document.createElement('canvas');
  return ['webgl2', 'webgl'].some((kind) => canvas.getContext(kind) !== null);
}

function whyEmpty({ unlinked }: MapAnswer, filters: number): string {
  if (filters > 0) return 'No document that passes the filters is linked with another one.';
  if (unlinked === 0) return 'The index has no documents yet.';
  return 'No document is linked with another one, so there is no map. Links such as [[name]] and [text](file.md) make one.';
}

/** Says what is on the map, how many hits are on it, and whether the open document is. */
function Summary({ answer }: { readonly answer: MapAnswer }) {
  const { finder } = usePage();
  const focus = useFocus();
  const { documents, links, total, unlinked, is_final } = answer;
  const onMap = new Set(documents.ids);
  const hits = hitsOf(finder.found.value);
  const counted = [
    documents.ids.length < total
      ? `The ${documents.ids.length.toLocaleString()} most linked of ${numbered(total, 'document')}`
      : numbered(total, 'linked document'),
    numbered(links.sources.length, 'linked pair'),
    numbered(new Set(documents.communities.filter((each) => each >= 0)).size, 'community', 'communities'),
  ].join(', ');
  const lit = [...hits].filter((id) => onMap.has(id)).length;
  const sentences = [
    `${counted}.`,
    unlinked > 0
      ? `${numbered(unlinked, 'document')} without links ${unlinked === 1 ? 'is' : 'are'} not shown.`
      : '',
    hits.size > 0 ? `Documents found: ${hits.size}; lit on the map: ${lit}.` : '',
    focus !== undefined && !onMap.has(focus) ? 'The open document is not on the map.' : '',
    is_final ? '' : 'The places are rough; better ones are being computed.',
  ];
  return (
    <p class="status" role="status">
      {sentences.filter(Boolean).join(' ')}
    </p>
  );
}

function numbered(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

interface DrawnProps {
  readonly answer: MapAnswer;
  readonly community: number | undefined;
}

/** Share of the view by which an arrow key moves it. */
const STEP = 0.15;
const ZOOM = 1.5;

function Drawn({ answer, community }: DrawnProps) {
  const { finder, open } = usePage();
  const stage = useRef<HTMLDivElement>(null);
  const names = useRef<HTMLDivElement>(null);
  const picture = useRef<Picture | undefined>(undefined);
  const view = useRef<ReturnType<Picture['close']> | undefined>(undefined);
  /** The document that was chosen on the map itself, and so is in view already. */
  const clicked = useRef<string | undefined>(undefined);
  const focus = useFocus();
  const found = finder.found.value;

  useLayoutEffect(() => {
    const made = createPicture({
      stage: stage.current!,
      names: names.current!,
      answer,
      view: view.current,
      onChoose(id) {
        clicked.current = id;
        open({ id });
      },
    });
    picture.current = made;
    return () => (view.current = made.close());
  }, [answer]);
  useEffect(
    () => picture.current!.show({ focus, hits: hitsOf(found), community }),
    [answer, focus, found, community],
  );
  useEffect(() => {
    if (focus === undefined) return undefined;
    const isNew = clicked.current !== focus;
    clicked.current = undefined;
    // Wait for the next frame: only then is the map narrower, because the document is shown beside it.
    const frame = requestAnimationFrame(() => picture.current?.goTo(focus, isNew));
    return () => cancelAnimationFrame(frame);
  }, [focus]);

  function act({ key }: KeyboardEvent): boolean {
    const shown = picture.current!;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => shown.pan(-STEP, 0),
      ArrowRight: () => shown.pan(STEP, 0),
      ArrowUp: () => shown.pan(0, -STEP),
      ArrowDown: () => shown.pan(0, STEP),
      '+': () => shown.zoom(ZOOM),
      '=': () => shown.zoom(ZOOM),
      '-': () => shown.zoom(1 / ZOOM),
      '0': shown.showAll,
    };
    keys[key]?.();
    return key in keys;
  }

  return (
    <div class="map-frame">
      <div class="map-tools">
        <MapFinder answer={answer} />
        <button
          type="button"
          aria-label="Zoom in"
          title="Zoom in (+)"
          onClick={() => picture.current!.zoom(ZOOM)}
        >
          +
        </button>
        <button
          type="button"
          aria-label="Zoom out"
          title="Zoom out (-)"
          onClick={() => picture.current!.zoom(1 / ZOOM)}
        >
          −
        </button>
        <button type="button" title="Show the whole map (0)" onClick={() => picture.current!.showAll()}>
          Whole map
        </button>
      </div>
      <div class="map-canvas">
        <div
          ref={stage}
          class="map-stage"
          role="application"
          aria-label="Map of linked documents"
          aria-describedby="map-keys"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the map
          tabIndex={0}
          onKeyDown={(event) => {
            const isOurs = !event.ctrlKey && !event.metaKey && !event.altKey && act(event);
            if (isOurs) event.preventDefault();
          }}
        />
        <div ref={names} class="map-names" aria-hidden="true" />
      </div>
      <p id="map-keys" class="map-keys quiet">
        Arrow keys move the map, + and - zoom, 0 shows all of it. A click opens a document. The list has the
        same documents by community.
      </p>
    </div>
  );
}

/** Id of the open document. The address may name it otherwise, such as by its path. */
function useFocus(): string | undefined {
  const { place, reader } = usePage();
  return reader.shown.value?.answer?.document_id ?? place.value.document?.id;
}

function hitsOf(found: ReturnType<typeof usePage>['finder']['found']['value']): ReadonlySet<string> {
  const { hits = [], unsure = [] } = found?.answer ?? {};
  return new Set([...hits, ...unsure].map(({ document_id }) => document_id));
}

interface Known {
  /** The last answer. It stays while the server is away. */
  readonly answer?: MapAnswer | undefined;
  readonly problem?: Told | undefined;
}

/** Asks for the map: rough places at once, then the computed ones, and again when the index changes. */
function useMap(): Known {
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
