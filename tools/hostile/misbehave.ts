const MEGABYTE = 1_000_000;
const BLOCKS_FOR_MS = 20_000;

/** Does what a provider may do that no provider should do. */
export async function misbehave(kind: string): Promise<{ readonly count: number }> {
  switch (kind) {
    case 'block':
      block();
      break;
    case 'never':
      await new Promise(() => undefined);
      break;
    case 'mb3':
      return { count: 1, more: 'x'.repeat(3 * MEGABYTE) } as { readonly count: number };
    case 'schema':
      return { count: 'one' } as never;
    case 'throwHuge':
      throw new Error('x'.repeat(5 * MEGABYTE));
    case 'throwString':
      throw 'a text';
    case 'dangling':
      void Promise.reject(new Error('nobody waits for this'));
      break;
    case 'later':
      setTimeout(() => {
        throw new Error('thrown when nobody listens');
      }, 10);
  }
  return { count: 1 };
}

function block(): void {
  const until = Date.now() + BLOCKS_FOR_MS;
  while (Date.now() < until);
}
