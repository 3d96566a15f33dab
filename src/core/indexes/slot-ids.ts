/** Chunk ids by slot, to order equal scores: from the catalog, or remembered where there is none. */

export interface SlotIds {
  idOf(slot: number): string;
  note(slot: number, id: string): void;
  forget(slots: Iterable<number>): void;
}

/** @param idOf the catalog's ids; without it those noted are used */
export function createSlotIds(idOf?: (slot: number) => string): SlotIds {
  if (idOf !== undefined) return { idOf, note() {}, forget() {} };
  const ids = new Map<number, string>();
  return {
    idOf: (slot) => ids.get(slot) ?? '',
    note: (slot, id) => void ids.set(slot, id),
    forget(slots) {
      for (const slot of slots) ids.delete(slot);
    },
  };
}
