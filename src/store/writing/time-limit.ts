import { StoreAway } from './availability.js';

/**
 * Waits for work on the database, for at most `ms` milliseconds.
 * @throws StoreAway after that time; the work may still be done later
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreAway(`it has not answered within ${ms / 1_000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
