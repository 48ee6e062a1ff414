import type { Move } from '../../activities/approvals/contract.js';
import { databases } from '../../activities/databases/contract.js';
import { ResourceError, type Random, type Simulation } from '../../src/simulation/index.js';
import { partsOf } from '../../workflows/logical-database/names.js';
import type { FakeOthers } from './fake-cloud.js';

const DAY_MS = 86_400_000;

/** People who decide on moves: soon, late, twice, wrongly, or never. */
export class Approvers {
  readonly #chance: Random;
  /** The instances that may come to be, each as `database in data cluster`. */
  readonly #approved = new Set<string>();

  constructor(chance: Random) {
    this.#chance = chance;
  }

  readonly decide: NonNullable<FakeOthers['decide']> = (move, answer) => {
    const chance = this.#chance;
    const afterMs = chance.pick([0, 1_000, 60_000, DAY_MS]) + chance.below(60_000);
    switch (chance.below(8)) {
      case 0:
        return;
      case 1:
        return answer({ output: { approved: false, by: 'bob', reason: 'not this quarter' } }, afterMs);
      case 2:
        return answer({ error: { code: 'refused', message: 'not this quarter' } }, afterMs);
      case 3:
        return answer({ error: { code: 'away', message: 'nobody is there' } }, afterMs);
      case 4:
        throw new ResourceError('outbox_full', 'The request cannot be written.');
      case 5:
        this.#approve(move);
        answer({ output: { approved: true, by: 'ann' } }, 2 * DAY_MS - chance.below(5_000) + 2_500);
        return;
      case 6:
        this.#approve(move);
        answer({ output: { approved: true, by: 'ann' } }, afterMs);
        return answer({ output: { approved: false, by: 'bob' } }, afterMs + chance.below(5_000));
      default:
        this.#approve(move);
        return answer({ output: { approved: true, by: 'ann' } }, afterMs);
    }
  };

  /** The databases that were moved to another data cluster and were not to be. */
  unapproved(sim: Simulation): readonly string[] {
    const clusters = new Map<string, string>();
    return sim.calls.flatMap(({ call, input, error }) => {
      if (call !== databases.createInstance.activity || error !== undefined) return [];
      const { application, dataCluster, copyOf } = input as Instance;
      clusters.set(application, dataCluster);
      if (copyOf === undefined || databaseOf(copyOf) !== databaseOf(application)) return [];
      if (clusters.get(copyOf) === dataCluster || this.#approved.has(placed(databaseOf(application), dataCluster))) {
        return [];
      }
      return [`'${databaseOf(application)}' went to '${dataCluster}', and nobody has approved that`];
    });
  }

  #approve({ database, targetDataCluster }: Move): void {
    this.#approved.add(placed(database, targetDataCluster));
  }
}

interface Instance {
  readonly application: string;
  readonly dataCluster: string;
  readonly copyOf?: string;
}

/** The key of the database to which an instance belongs: `one.sales` for `one.sales.2`. */
function databaseOf(application: string): string {
  const { server, name } = partsOf(application);
  return `${server}.${name}`;
}

function placed(database: string, dataCluster: string): string {
  return `${database} in ${dataCluster}`;
}
