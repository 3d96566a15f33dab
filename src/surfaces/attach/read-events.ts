/** Reads server-sent events as they arrive. The data of an event is one line of JSON. */

export interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
}

/**
 * Yields each event; heartbeats are skipped.
 * @param parts text from the network, cut anywhere
 * @param onId called with the id of an event after the caller has handled the event, and with ids that come without an event
 */
export async function* readEvents(
  parts: AsyncIterable<string>,
  onId: (id: string) => void = () => {},
): AsyncGenerator<ReceivedEvent, void> {
  let text = '';
  for await (const part of parts) {
    const whole = (text + part).split('\n\n');
    text = whole.pop()!;
    for (const each of whole) {
      const lines = each.split('\n');
      const [id, event, data] = ['id: ', 'event: ', 'data: '].map((name) =>
        lines.find((line) => line.startsWith(name))?.slice(name.length),
      );
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
      if (id !== undefined) onId(id);
    }
  }
}
