/** Server-sent events of an answer, as they come; the data of each is one line of JSON. */

export interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
}

const EVENT = 'event: ';
const DATA = 'data: ';

/**
 * Signs of life are passed over.
 * @param parts text as it came over the network, cut anywhere
 */
export async function* readEvents(parts: AsyncIterable<string>): AsyncGenerator<ReceivedEvent, void> {
  let text = '';
  for await (const part of parts) {
    const whole = (text + part).split('\n\n');
    text = whole.pop()!;
    for (const each of whole) {
      const lines = each.split('\n');
      const event = lines.find((line) => line.startsWith(EVENT));
      const data = lines.find((line) => line.startsWith(DATA));
      if (event && data)
        yield { event: event.slice(EVENT.length), data: JSON.parse(data.slice(DATA.length)) };
    }
  }
}
