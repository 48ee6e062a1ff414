import { databaseAddress, databasePlace, findDatabase } from '../../../stack/database.js';
import { Side, type Replica } from '../../../store/replica/index.js';
import { messageOf } from '../../../definition/thrown.js';
import { declaredDimensions } from '../../store-session.js';
import { Unreachable } from '../../unreachable.js';
import { UsageError } from '../../usage-error.js';

export interface ReplicaOptions {
  /** The replica's database. */
  readonly to?: string;
  /** The store's database, as the replica's server reaches it. */
  readonly from?: string;
  readonly once?: boolean;
  readonly anew?: boolean;
  readonly status?: boolean;
  readonly verify?: boolean;
  readonly promote?: boolean;
  readonly drop?: boolean;
  readonly stopWrites?: boolean;
  readonly withoutStore?: boolean;
  readonly json?: boolean;
}

/** Where the address of the replica can stand instead of `--to`, since others on a machine see the arguments of a command. */
const TO_VARIABLE = 'REEVE_REPLICA_TO';

const DEEDS = ['status', 'verify', 'promote', 'drop'] as const;
/** Which options only mean something together with which deed: with none, the replica is kept. */
const BELONG: readonly (readonly [option: keyof ReplicaOptions, deed: (typeof DEEDS)[number] | undefined])[] = [
  ['once', undefined],
  ['anew', undefined],
  ['from', undefined],
  ['stopWrites', 'promote'],
  ['withoutStore', 'promote'],
];

/** Tells what is to be done; nothing: the replica is to be kept. @throws UsageError when that is not clear */
export function deedOf(options: ReplicaOptions): (typeof DEEDS)[number] | undefined {
  const asked = DEEDS.filter((deed) => options[deed]);
  if (asked.length > 1) throw new UsageError(`--${asked.join(' and --')} cannot be combined. Give one of them.`);
  const [deed] = asked;
  for (const [option, of] of BELONG) {
    if (options[option] === undefined || of === deed) continue;
    const written = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new UsageError(`${written} ${of ? `needs --${of}` : `cannot be combined with --${deed}`}.`);
  }
  if (options.stopWrites && options.withoutStore) {
    throw new UsageError(
      '--stop-writes needs the store, so it cannot be combined with --without-store. Give one of them.',
    );
  }
  return deed;
}

/** The address of the replica's database. @throws UsageError when there is none */
export function targetUrl({ to = process.env[TO_VARIABLE] }: ReplicaOptions): string {
  if (to) return address(to, '--to');
  throw new UsageError(
    `Name the database of the replica: --to postgresql://user:password@host:port/database, or set ${TO_VARIABLE}.`,
  );
}

/** Works on the store. @throws Unreachable where it is not known where that is */
export async function withStore<T>(work: (store: Side) => Promise<T>): Promise<T> {
  const url = await findDatabase().catch((thrown: unknown) => {
    throw new Unreachable(messageOf(thrown));
  });
  const store = new Side('store', { url, place: databasePlace(url) });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Works on the replica's database. @throws UsageError */
export async function withTarget<T>(options: ReplicaOptions, work: (target: Side) => Promise<T>): Promise<T> {
  const url = targetUrl(options);
  const target = new Side('replica', { url, place: databasePlace(url) });
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}

/** Works on both. @throws UsageError, Unreachable */
export async function withReplica<T>(options: ReplicaOptions, work: (replica: Replica) => Promise<T>): Promise<T> {
  const from = options.from === undefined ? undefined : address(options.from, '--from');
  const more = await about();
  return withTarget(options, (target) =>
    withStore((store) => work({ store, target, reachedAt: from ?? store.url, ...more })),
  );
}

/** Gathers what a replica has to know of the project. */
export async function about(): Promise<Pick<Replica, 'dimensions' | 'warn'>> {
  return { dimensions: await declaredDimensions(), warn: (message) => console.error(message) };
}

function address(url: string, what: string): string {
  try {
    return databaseAddress(url, what);
  } catch (thrown) {
    throw new UsageError(messageOf(thrown));
  }
}
