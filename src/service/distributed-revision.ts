/** A look asks Temporal and a worker. */
const LOOKS_EVERY_MS = 500;

/** What executors say of their jobs is in no revision of the workflow, so each look is one. */
export async function revisionOfDistributed(): Promise<string> {
  return `${Math.floor(Date.now() / LOOKS_EVERY_MS)}`;
}
