/** Names of the largest communities, written over the map. They disappear when the user zooms in far enough to read titles. */
import type Sigma from 'sigma';
import { plainTitle } from '../document-link.tsx';
import type { MapAnswer, MapGraph } from './map-graph.ts';

const MAX_NAMES = 12;
/** Min ratio of the camera at which names are shown. The whole map has ratio 1; zooming in makes the ratio smaller. */
const MIN_RATIO = 0.45;
const MAX_CHARACTERS = 30;
/** Pixels between a community and its name. */
const GAP = 8;

/** @param isApart whether names stand above or below their communities, rather than over them */
export function writeNames(
  renderer: Sigma,
  graph: MapGraph,
  communities: MapAnswer['communities'],
  layer: HTMLElement,
  isApart: boolean,
) {
  const names = middlesOf(graph).map((middle) => {
    const name = document.createElement('bdi');
    const title = plainTitle(communities[middle.community]?.title ?? '');
    name.textContent = title.length > MAX_CHARACTERS ? `${title.slice(0, MAX_CHARACTERS - 1)}…` : title;
    return { ...middle, name };
  });
  layer.replaceChildren(...names.map(({ name }) => name));

  /** Writes the names that have room. Titles of documents get the room that is left. */
  return (room: Room, isHidden: boolean): void => {
    layer.hidden = isHidden || renderer.getCamera().ratio < MIN_RATIO;
    if (layer.hidden) return;
    const { width, height } = renderer.getDimensions();
    // The names of larger communities come first and keep their places.
    for (const { name, x, y, top, bottom } of names) {
      const at = renderer.graphToViewport({ x, y });
      const size = { width: name.offsetWidth, height: name.offsetHeight };
      const left = Math.min(Math.max(at.x - size.width / 2, 0), width - size.width);
      const above = renderer.graphToViewport({ x, y: top }).y - size.height - GAP;
      const below = renderer.graphToViewport({ x, y: bottom }).y + GAP;
      const middle = at.y - size.height / 2;
      const isSeen = at.x > 0 && at.x < width && at.y > 0 && at.y < height;
      const isInside = (each: number) => each > 0 && each + size.height < height;
      const places = isApart ? [above, below].filter(isInside) : [middle];
      const free = places.find((top) => isSeen && room.take({ ...size, left, top }, !isApart));
      name.classList.toggle('crowded', free === undefined);
      if (free !== undefined)
        name.style.transform = `translate(${Math.round(left)}px, ${Math.round(free)}px)`;
    }
  };
}

/** Centre, top and bottom of each of the communities with the most documents on the map. */
function middlesOf(graph: MapGraph) {
  const all = Map.groupBy(
    graph.mapNodes((_, node) => node),
    ({ community }) => community,
  );
  return [...all]
    .filter(([community]) => community >= 0)
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, MAX_NAMES)
    .map(([community, nodes]) => {
      const ys = nodes.map(({ y }) => y);
      return {
        community,
        x: mean(nodes.map(({ x }) => x)),
        y: mean(ys),
        top: ys.reduce((a, b) => Math.max(a, b)),
        bottom: ys.reduce((a, b) => Math.min(a, b)),
      };
    });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

type Box = Readonly<Record<'left' | 'top' | 'width' | 'height', number>>;

export type Room = ReturnType<typeof createRoom>;

/**
 * Room for names and titles: an earlier text keeps its place, and a later one may only take a box that is still free.
 * @param dots boxes of documents
 */
export function createRoom(dots: readonly Box[]) {
  const taken: Box[] = [];
  return {
    /** Takes a box if it is free. @param overDots whether it may cover documents. @returns whether it was free */
    take(box: Box, overDots = false): boolean {
      const touches = (other: Box) =>
        box.left < other.left + other.width &&
        other.left < box.left + box.width &&
        box.top < other.top + other.height &&
        other.top < box.top + box.height;
      const isFree = !taken.some(touches) && (overDots || !dots.some(touches));
      if (isFree) taken.push(box);
      return isFree;
    },
  };
}
