/** Server-sent events of an answer, as they come; the data of each is one line of JSON. */

export interface ReceivedEvent {
  readonly event: string;
  readonly data: unknown;
}

/** @param parts text as it came over the network, cut anywhere */
export async function* readEvents(parts: AsyncIterable<string>): AsyncGenerator<ReceivedEvent, void> {
  let text = '';
  for await (const part of parts) {
    const whole = (text + part).split('\n\n');
    text = whole.pop()!;
    for (const each of whole) {
      const [, event = '', data = 'null'] = /^event: ([^\n]*)\ndata: ([^\n]*)$/.exec(each) ?? [];
      yield { event, data: JSON.parse(data) };
    }
  }
}
