/** Draws documents as points, and leaves out what sigma needs for choosing them while the map moves: it takes as long as the picture. */
import type Sigma from 'sigma';
import { NodePointProgram, type NodeProgramType } from 'sigma/rendering';

type Parts = ConstructorParameters<typeof NodePointProgram>;

/** Sigma calls it with `new`. */
export const pointProgram = function makePointProgram(...[context, picking, renderer]: Parts) {
  const program = new NodePointProgram(context, picking, renderer);
  const draw = program.drawWebGL.bind(program);
  program.drawWebGL = (method, drawn) => {
    if (drawn !== program.pickProgram || !isMoving(renderer)) draw(method, drawn);
  };
  return program;
} as unknown as NodeProgramType;

/** Milliseconds after a movement before the map is drawn once more, with all that sigma needs for choosing. */
const REST_MS = 120;

/** @returns a function that ends it */
export function drawAfterMoves(renderer: Sigma): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  renderer.on('afterRender', () => {
    if (!isMoving(renderer)) return;
    clearTimeout(timer);
    timer = setTimeout(() => renderer.scheduleRender(), REST_MS);
  });
  return () => clearTimeout(timer);
}

function isMoving(renderer: Sigma): boolean {
  const { isMoving, draggedEvents, currentWheelDirection } = renderer.getMouseCaptor();
  return renderer.getCamera().isAnimated() || isMoving || draggedEvents > 0 || currentWheelDirection !== 0;
}
