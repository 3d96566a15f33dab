/** Tells whether the user chose an entry from a field's list, or typed. Typed text is used only after Enter. */

/** Whether an input event is a choice. Browsers report it as a replacement, or without a type. */
export function isChoice(event: Event): boolean {
  return ['insertReplacementText', undefined].includes((event as InputEvent).inputType);
}
