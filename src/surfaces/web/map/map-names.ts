/** Names of the largest communities, written over the map. They leave when one comes near enough to read titles. */
import type Sigma from 'sigma';
import { plainTitle } from '../document-link.tsx';
import type { MapAnswer, MapGraph } from './map-graph.ts';
import { createRoom } from './map-room.ts';

const MAX_NAMES = 12;
/** Ratio of the camera, 1 for the whole map, from which on names are shown. */
const MIN_RATIO = 0.45;
const MAX_CHARACTERS = 30;

/** Writes names into the layer whenever sigma has drawn. @returns what hides them, or shows them again */
export function writeNames(
  renderer: Sigma,
  graph: MapGraph,
  communities: MapAnswer['communities'],
  layer: HTMLElement,
): (hidden: boolean) => void {
  let isHidden = false;
  const names = middlesOf(graph).map(({ community, x, y }) => {
    const name = document.createElement('bdi');
    const title = plainTitle(communities[community]?.title ?? '');
    name.textContent = title.length > MAX_CHARACTERS ? `${title.slice(0, MAX_CHARACTERS - 1)}…` : title;
    return { name, x, y };
  });
  layer.replaceChildren(...names.map(({ name }) => name));

  function place(): void {
    layer.hidden = isHidden || renderer.getCamera().ratio < MIN_RATIO;
    if (layer.hidden) return;
    const { width, height } = renderer.getDimensions();
    const room = createRoom();
    // The names of larger communities come first, and keep their places.
    for (const { name, x, y } of names) {
      const at = renderer.graphToViewport({ x, y });
      const size = { width: name.offsetWidth, height: name.offsetHeight };
      const left = Math.min(Math.max(at.x - size.width / 2, 0), width - size.width);
      const box = { ...size, left, top: at.y - size.height / 2 };
      const isSeen = at.x > 0 && at.x < width && at.y > 0 && at.y < height;
      const isFree = isSeen && room.take(box);
      name.classList.toggle('crowded', !isFree);
      if (!isFree) continue;
      name.style.transform = `translate(${Math.round(box.left)}px, ${Math.round(box.top)}px)`;
    }
  }

  renderer.on('afterRender', place);
  return (hidden) => {
    isHidden = hidden;
    place();
  };
}

/** Middles of the communities with the most documents on the map. */
function middlesOf(
  graph: MapGraph,
): readonly { readonly community: number; readonly x: number; readonly y: number }[] {
  const sums = new Map<number, { x: number; y: number; count: number }>();
  graph.forEachNode((_, { community, x, y }) => {
    const sum = sums.get(community) ?? { x: 0, y: 0, count: 0 };
    sums.set(community, { x: sum.x + x, y: sum.y + y, count: sum.count + 1 });
  });
  return [...sums]
    .filter(([community]) => community >= 0)
    .sort(([, a], [, b]) => b.count - a.count)
    .slice(0, MAX_NAMES)
    .map(([community, { x, y, count }]) => ({ community, x: x / count, y: y / count }));
}
