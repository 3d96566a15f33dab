/** Tells a choice from the list of a field from typed text, which waits for Enter. */

/** Whether an input event is a choice. Browsers report it as a replacement, or without a type. */
export function isChoice(event: Event): boolean {
  return ['insertReplacementText', undefined].includes((event as InputEvent).inputType);
}
