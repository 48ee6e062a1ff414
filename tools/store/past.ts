import type { ErrorRecord } from '../../src/protocol/error-record.js';
import type { EventRecord, StoreRecord } from '../../src/protocol/records.js';
import { Random } from '../../src/simulation/random.js';

/** How much has happened in a past. */
export interface PastSize {
  readonly entities: number;
  readonly transitions: number;
  /** In how many days it has happened, up to `until`, in milliseconds since 1970. */
  readonly days: number;
  readonly until: number;
}

/** The dimensions of these rows. */
export const DIMENSIONS = ['data_cluster_id', 'logical_server_id', 'logical_database_id', 'tenant'];

/** The number of tenants. Each has twice as many servers as the one before: from a thousandth of all to half of them. */
export const TENANTS = 10;

/** The types of a server and what belongs to it. An operation on the server reaches them all. */
export const TYPES = ['LogicalServer', 'SqlApplication', 'DatabaseService', 'DnsRecord'];

const EVENTS = ['create', 'scale', 'rename', 'failover', 'configure'];
const PASSING = ['Creating', 'CreatingResources', 'Changing', 'Moving'];
const CLUSTERS = 25;
const ERRORS = 60;
const DAY_MS = 86_400_000;

/** The records of one server after the other. The same size gives the same records. */
export function* past(size: PastSize): Generator<readonly StoreRecord[]> {
  const random = new Random(1);
  const servers = Math.ceil(size.entities / TYPES.length);
  for (let server = 0; server < servers; server++) {
    const from = Math.round((size.transitions / servers) * server);
    const to = Math.round((size.transitions / servers) * (server + 1));
    yield new Server(random, server, size).live(to - from);
  }
}

class Server {
  readonly #records: StoreRecord[] = [];
  readonly #name: string;
  readonly #dimensions: Readonly<Record<string, string>>;
  readonly #versions = TYPES.map(() => 0);
  readonly #states = TYPES.map(() => 'Absent');
  readonly #bornAt: number;
  #at: number;

  constructor(
    readonly random: Random,
    readonly number: number,
    readonly size: PastSize,
  ) {
    this.#name = `server-${number}`;
    this.#dimensions = {
      data_cluster_id: `cluster-${number % CLUSTERS}`,
      logical_server_id: this.#name,
      tenant: `tenant-${Math.floor(Math.log2(1 + (number % (2 ** TENANTS - 1))))}`,
      ...(random.chance(0.3) && { logical_database_id: `database-${random.below(5_000)}` }),
    };
    this.#bornAt = Math.floor(size.until - size.days * DAY_MS * (0.05 + 0.95 * random.next()));
    this.#at = this.#bornAt;
  }

  /** The records of everything that has happened, with so many transitions. */
  live(transitions: number): readonly StoreRecord[] {
    const pause = (this.size.until - this.#bornAt) / (transitions / 8 + 1);
    for (let left = transitions, first = true; left > 0; first = false) {
      left -= this.#operate(first ? 'create' : this.random.pick(EVENTS.slice(1)), left);
      this.#at += Math.floor(pause * (0.2 + 0.8 * this.random.next()));
    }
    TYPES.forEach((_, index) => this.#stand(index));
    return this.#records;
  }

  /** Makes the records of an operation over all entities of the server. Gives the number of its transitions. */
  #operate(event: string, most: number): number {
    const { random } = this;
    const id = `${event}-${this.#name}-${this.#at}`;
    const startedAt = this.#at;
    let made = 0;
    let error: ErrorRecord | undefined;
    for (let index = 0; index < TYPES.length && made < most; index++) {
      const wanted = Math.min(most - made, 1 + random.below(4));
      const failure = random.chance(0.04) ? failureOf(random) : undefined;
      error ??= failure;
      this.#engage(index, id, event, wanted, failure);
      made += wanted;
    }
    const ended = random.chance(0.995);
    this.#records.push({
      kind: 'operation',
      id,
      name: `${event} LogicalServer/${this.#name}`,
      startedAt,
      answeredAt: startedAt + 3 + random.below(20),
      ...(ended && { endedAt: this.#at + 5 }),
      outcome: !ended ? 'running' : error ? 'failed' : random.chance(0.01) ? 'canceled' : 'success',
      ...(error && { error }),
      restarts: random.chance(0.02) ? 1 : 0,
      dimensions: this.#dimensions,
    });
    return made;
  }

  #engage(index: number, operation: string, event: string, transitions: number, error: ErrorRecord | undefined): void {
    const { random } = this;
    const entity = this.#entity(index);
    const start = { startState: this.#states[index]!, startVersion: this.#versions[index]!, startedAt: this.#at };
    const id = index === 0 ? operation : `${operation}/${index}`;
    for (let ordinal = 1; ordinal <= transitions; ordinal++) {
      const [enteredAt, last] = [this.#at, ordinal === transitions];
      this.#at += 2 + random.below(2_000);
      const endState = last ? (error ? 'Failed' : 'Ready') : random.pick(PASSING);
      const failed = last && error !== undefined;
      this.#records.push({
        ...{ kind: 'transition', entity, version: ++this.#versions[index]!, operation, event: id, ordinal },
        type: ordinal === 1 ? 'EventAction' : 'AutoAction',
        action: ordinal === 1 ? 'begin' : `step${ordinal}`,
        ...{ startState: this.#states[index]!, startHealth: 'normal', startEnteredAt: enteredAt },
        ...{ startedAt: enteredAt + 1, retries: random.chance(0.05) ? 1 : 0, endState },
        ...{ endHealth: failed ? 'error' : 'normal', at: this.#at, outcome: failed ? 'exhausted' : 'success' },
        ...(failed && { error }),
        tenant: this.#dimensions['tenant']!,
      });
      this.#states[index] = endState;
    }
    const record: EventRecord = {
      ...{ kind: 'event', id, entity, operation, position: index === 0 ? '1' : `1.${index}`, event, ...start },
      ...{ eventType: index === 0 ? 'raised' : 'subscription', endState: this.#states[index]! },
      ...{ endHealth: error ? 'error' : 'normal', endedAt: this.#at, ...(error && { error }) },
      ...{ restarts: 0, dimensions: this.#dimensions },
    };
    this.#records.push(record);
  }

  #stand(index: number): void {
    const { random } = this;
    const [state, version] = [this.#states[index]!, this.#versions[index]!];
    this.#records.push({
      ...{ kind: 'entity', entity: this.#entity(index), bornAt: this.#bornAt, version, state },
      ...{ health: state === 'Failed' ? 'error' : 'normal', settled: true, deleted: false, enteredAt: this.#at },
      properties: {
        ...{ region: `region-${random.below(12)}`, size: 1 + random.below(64), administrator: 'administrator' },
        ...{ address: { host: `10.0.${random.below(255)}.${random.below(255)}`, port: 1_024 + random.below(60_000) } },
        tier: random.pick(['basic', 'standard', 'premium']),
      },
      ...{
        links: {},
        subordinates: { databases: { master: { size: 1 } } },
        dimensions: this.#dimensions,
        at: this.#at,
      },
    });
  }

  #entity(index: number) {
    return { type: TYPES[index]!, key: this.#name, life: `life-${this.number}-${index}` };
  }
}

function failureOf(random: Random): ErrorRecord {
  const number = random.below(ERRORS);
  return {
    kind: number % 5 === 0 ? 'needs_operator' : 'retryable',
    code: `provider_${number % 7}`,
    message: `The provider did not do step ${number}`,
  };
}
