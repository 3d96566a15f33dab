/** The picture of the map: draws the graph with sigma, and highlights what the user looks at. */
import Sigma from 'sigma';
import { EdgeLineProgram } from 'sigma/rendering';
import type { CameraState, EdgeDisplayData, NodeDisplayData } from 'sigma/types';
import { readColours } from './map-colours.ts';
import { graphOf, type MapAnswer, type MapGraph, type MapNode } from './map-graph.ts';
import { createRoom, type Room, writeNames } from './map-names.ts';
import { drawAfterMoves, pointProgram } from './point-program.ts';

/** The documents that the map highlights. All other documents fade. */
export interface Looked {
  /** Id of the open document: shown with the documents that it is linked with. */
  readonly focus?: string | undefined;
  readonly hits: ReadonlySet<string>;
  /** Position of the chosen community in the list of communities. */
  readonly community?: number | undefined;
}

export type Picture = ReturnType<typeof createPicture>;

export interface PictureParts {
  /** Where sigma draws. */
  readonly stage: HTMLElement;
  readonly names: HTMLElement;
  readonly answer: MapAnswer;
  /** @default the whole map */
  readonly view?: CameraState | undefined;
  onChoose(id: string): void;
}

/** Ratio of the camera that shows a document with its neighbours. */
const NEAR = 0.3;
/** If at most this many documents are highlighted, the titles of all of them are shown. */
const MAX_TITLES = 40;
const MOVE_MS = 350;
/** Pixels between a document and its title. */
const TITLE_GAP = 3;
/** A map of at most this many documents shows every title that has room. */
const SMALL_MAP = 150;

export function createPicture({ stage, names, answer, view, onChoose }: PictureParts) {
  const graph = graphOf(answer);
  let colours = readColours(stage, graph.size);
  let looked: Looked = { hits: new Set() };
  let room: Room | undefined;
  /** Documents to highlight; undefined if there are none. */
  let lit: ReadonlySet<string> | undefined;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;

  function nodeOf(id: string, { label, size, community }: MapNode): Partial<NodeDisplayData> {
    if (lit === undefined) return { label, size, color: colours.of(community) };
    if (!lit.has(id)) return { label: null, size, color: colours.faded(community), zIndex: 0 };
    const isHit = looked.hits.has(id);
    const isFocus = id === looked.focus;
    return {
      label,
      color: colours.of(community),
      zIndex: isFocus ? 2 : 1,
      size: isHit || isFocus ? size * 1.5 + 2 : size,
      forceLabel: isHit || isFocus || lit.size <= MAX_TITLES,
      highlighted: isFocus,
    };
  }

  function edgeOf(edge: string): Partial<EdgeDisplayData> {
    const [source, target] = graph.extremities(edge) as [string, string];
    const community = graph.getNodeAttribute(source, 'community');
    const isInside = community === graph.getNodeAttribute(target, 'community');
    if (looked.focus !== undefined) {
      const isOwn = source === looked.focus || target === looked.focus;
      return isOwn ? { color: colours.link } : { hidden: true };
    }
    if (looked.community === community && isInside) return { color: colours.linkIn(community) };
    if (lit) return { hidden: true };
    return { color: colours.linkIn(isInside ? community : -1) };
  }

  const renderer = new Sigma(graph, stage, {
    // Without a graphics card, points and lines are drawn several times as fast as discs and bars.
    nodeProgramClasses: { circle: pointProgram },
    edgeProgramClasses: { line: EdgeLineProgram },
    nodeReducer: (id, node) => ({ ...node, ...nodeOf(id, node as MapNode) }),
    edgeReducer: edgeOf,
    zIndex: true,
    hideEdgesOnMove: true,
    ...(isCalm && { inertiaRatio: 0, inertiaDuration: 1, zoomDuration: 1 }),
    allowInvalidContainer: true,
    minCameraRatio: 0.01,
    maxCameraRatio: 2,
    labelFont: 'system-ui, sans-serif',
    labelSize: 12,
    labelRenderedSizeThreshold: graph.order <= SMALL_MAP ? 0 : 8,
    labelGridCellSize: 140,
    stagePadding: graph.order <= SMALL_MAP ? 40 : 24,
    // Draw no titles in the first picture: names of communities come before titles, and are made after this picture.
    renderLabels: false,
    defaultDrawNodeLabel: (context, node, { labelSize }) => {
      // The title of the open document is drawn with its ring, below.
      if (!renderer.getNodeDisplayData(node.key)?.highlighted) drawTitle(context, node, labelSize, false);
    },
    defaultDrawNodeHover: (context, node, { labelSize }) => {
      context.beginPath();
      context.arc(node.x, node.y, node.size + 3, 0, Math.PI * 2);
      context.lineWidth = 2;
      context.strokeStyle = colours.text;
      context.stroke();
      const label = node.label ?? graph.getNodeAttribute(node.key, 'label');
      drawTitle(context, { ...node, label }, labelSize, true);
    },
  });
  if (view) renderer.getCamera().setState(view);
  const placeNames = writeNames(renderer, graph, answer.communities, names, graph.order <= SMALL_MAP);
  renderer.on('beforeRender', () => (room = undefined));
  renderer.on('afterRender', () => roomOfFrame());
  renderer.setSetting('renderLabels', true);
  const stopDrawing = drawAfterMoves(renderer);

  /** The room for titles in this frame, after the names of communities were placed. */
  function roomOfFrame(): Room {
    if (room) return room;
    room = createRoom(dotsOf(renderer, graph, lit));
    placeNames(room, lit !== undefined);
    return room;
  }

  /** Draws a title if there is room. A rim in the colour of the background makes it readable over other documents. */
  function drawTitle(
    context: CanvasRenderingContext2D,
    { label, x, y, size }: Pick<NodeDisplayData, 'x' | 'y' | 'size' | 'label'>,
    height: number,
    isHovered: boolean,
  ): void {
    if (!label) return;
    context.font = `${height}px system-ui, sans-serif`;
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = colours.back;
    const { width } = context.measureText(label);
    const away = size + TITLE_GAP;
    const [beside, centred] = [y - height / 2, x - width / 2];
    const places = [
      { left: x + away, top: beside },
      { left: x - away - width, top: beside },
      { left: centred, top: y + away },
      { left: centred, top: y - away - height },
    ];
    const inside = places.filter(
      ({ left }) => left > 0 && left + width < context.canvas.width / devicePixelRatio,
    );
    // A title takes the first side with room. The title of the document under the pointer is always drawn.
    const free = isHovered
      ? (inside[0] ?? places[0])
      : inside.find((each) => roomOfFrame().take({ ...each, width, height }));
    if (!free) return;
    const line = free.top + height * (5 / 6);
    context.strokeText(label, free.left, line);
    context.fillStyle = colours.text;
    context.fillText(label, free.left, line);
  }

  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const recolour = () => {
    colours = readColours(stage, graph.size);
    renderer.refresh({ skipIndexation: true });
  };
  scheme.addEventListener('change', recolour);
  const observer = new ResizeObserver(() => renderer.resize().scheduleRender());
  observer.observe(stage);
  renderer.on('clickNode', ({ node }) => onChoose(node));
  renderer.on('enterNode', () => stage.classList.add('over'));
  renderer.on('leaveNode', () => stage.classList.remove('over'));

  function moveTo(state: Partial<CameraState>): void {
    const camera = renderer.getCamera();
    if (isCalm) camera.setState(state);
    else void camera.animate(state, { duration: MOVE_MS });
  }

  return {
    show(next: Looked): void {
      const isOnMap = next.focus !== undefined && graph.hasNode(next.focus);
      looked = isOnMap ? next : { ...next, focus: undefined };
      lit = litBy(looked, graph);
      renderer.refresh({ skipIndexation: true });
    },
    /** Brings a document into view. @param near whether to zoom in far enough to see its neighbours */
    goTo(id: string, near: boolean): void {
      const node = renderer.getNodeDisplayData(id);
      if (!node) return;
      const { ratio } = renderer.getCamera();
      const at = renderer.framedGraphToViewport(node);
      const { width, height } = renderer.getDimensions();
      const isSeen = at.x > 0 && at.y > 0 && at.x < width && at.y < height;
      if (near) moveTo({ x: node.x, y: node.y, ratio: Math.min(ratio, NEAR) });
      else if (!isSeen) moveTo({ x: node.x, y: node.y });
    },
    /** Zooms in by a factor; a factor below 1 zooms out. */
    zoom(factor: number): void {
      moveTo({ ratio: renderer.getCamera().ratio / factor });
    },
    /** Moves the view by shares of its width and height. */
    pan(right: number, down: number): void {
      const { x, y } = renderer.getCamera();
      const { width, height } = renderer.getDimensions();
      const from = renderer.viewportToFramedGraph({ x: 0, y: 0 });
      const to = renderer.viewportToFramedGraph({ x: width * right, y: height * down });
      moveTo({ x: x + to.x - from.x, y: y + to.y - from.y });
    },
    showAll: () => moveTo({ x: 0.5, y: 0.5, ratio: 1 }),
    /** @returns the view, for the next picture of the same documents */
    close(): CameraState {
      const view = renderer.getCamera().getState();
      scheme.removeEventListener('change', recolour);
      observer.disconnect();
      stopDrawing();
      renderer.kill();
      return view;
    },
  };
}

/** Boxes of the documents as they are drawn. Faded documents are left out. */
function dotsOf(renderer: Sigma, graph: MapGraph, lit: ReadonlySet<string> | undefined) {
  // Screen places are a linear function of map places, so three points suffice. Asking sigma for each takes as long as drawing.
  const [start, right, up] = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 0, y: 1 },
  ].map((each) => renderer.graphToViewport(each));
  const scale = renderer.scaleSize();
  const shown = lit ? [...lit] : graph.nodes();
  return shown.map((id) => {
    const { x, y, size } = graph.getNodeAttributes(id);
    const radius = size * scale;
    const left = start!.x + x * (right!.x - start!.x) + y * (up!.x - start!.x) - radius;
    const top = start!.y + x * (right!.y - start!.y) + y * (up!.y - start!.y) - radius;
    return { left, top, width: 2 * radius, height: 2 * radius };
  });
}

/** Ids of the documents to highlight; undefined if there are none. */
function litBy({ focus, hits, community }: Looked, graph: MapGraph): ReadonlySet<string> | undefined {
  const found = [...hits].filter((id) => graph.hasNode(id));
  if (focus !== undefined) return new Set([focus, ...graph.neighbors(focus), ...found]);
  if (community !== undefined) {
    return new Set([...graph.filterNodes((_, node) => node.community === community), ...found]);
  }
  return found.length > 0 ? new Set(found) : undefined;
}
