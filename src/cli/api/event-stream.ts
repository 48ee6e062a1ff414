/** One server-sent event. */
export interface SentEvent {
  readonly event: string;
  /** The id for `Last-Event-ID`. */
  readonly id: string | undefined;
  readonly data: string;
}

/** The server-sent events of an answer, until it ends. To stop reading ends it. */
export async function* sentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SentEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

/** The event in a block of lines; nothing where these are comments, or only say how soon to ask again. */
function eventOf(block: string): SentEvent | undefined {
  const fields = block.split(/\r?\n/).flatMap((line) => {
    const [, name, value = ''] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value);
  const last = (name: string) => fields.findLast(([each]) => each === name)?.[1];
  return data.length === 0 ? undefined : { event: last('event') ?? 'message', id: last('id'), data: data.join('\n') };
}
