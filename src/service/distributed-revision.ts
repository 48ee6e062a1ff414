/** A look asks Temporal and a worker. */
const LOOKS_EVERY_MS = 500;

/** Each look is a revision, because the words of executors on their jobs are in no revision of the workflow. */
export async function revisionOfDistributed(): Promise<string> {
  return `${Math.floor(Date.now() / LOOKS_EVERY_MS)}`;
}
