/** Draws documents as points. While the map moves, skips the layer that finds documents under the pointer: it doubles the time. */
import type Sigma from 'sigma';
import { NodePointProgram, type NodeProgramType } from 'sigma/rendering';

type Parts = ConstructorParameters<typeof NodePointProgram>;

/** A `function`, because sigma calls it with `new`. */
export const pointProgram = function makePointProgram(...[context, picking, renderer]: Parts) {
  const program = new NodePointProgram(context, picking, renderer);
  const draw = program.drawWebGL.bind(program);
  program.drawWebGL = (method, drawn) => {
    if (drawn !== program.pickProgram || !isMoving(renderer)) draw(method, drawn);
  };
  return program;
} as unknown as NodeProgramType;

/** Milliseconds between a movement and the drawing that includes the layer for picking documents. */
const REST_MS = 120;

/** Draws the map once more after each movement. @returns a function that cancels the drawing that is due */
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
