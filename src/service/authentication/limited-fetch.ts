/** The most that is fetched, in bytes. It is far more than any set of keys has. */
const MOST_BYTES = 1024 * 1024;

/** Fetches what is small. It gives up an answer that goes on, so that one without an end does not fill the memory. */
export async function limitedFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok || !response.body) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new Error(`${url} answers with more than 1 MB, which is not a set of keys.`);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limit), { status: response.status });
}
