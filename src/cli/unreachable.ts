/** Something that the command needs (the Temporal service, the store, a worker) cannot be reached. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}
