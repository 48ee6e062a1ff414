import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlPlaneResources } from '../../activities/index.js';
import type { Rooms } from '../../activities/host/data-clusters.js';
import { HostClient } from '../../activities/host/client.js';
import { Sessions } from '../../activities/tables/sessions.js';
import type { TablePlaces } from '../../activities/tables/table-places.js';
import { EntityPlaces } from '../../workers/entity-places.js';
import { servedTables } from '../../workers/served-tables.js';
import { startHost } from '../../activities/host/host.js';
import { ResourceError } from '../../src/protocol/errors.js';
import type { CallbackSettings } from '../../src/temporal/callback-address.js';
import type { RecordKeeper } from '../../src/temporal/record-keeper.js';
import type { ImplementedResource } from '../../src/temporal/resources.js';
import { controlPlaneComponents } from '../../workflows/components.js';
import { controlPlane } from '../../workflows/definitions.js';
import { startTestService, type TestService } from './service.js';
import { ApplicationFailure } from '@temporalio/activity';

/** As package.json names it. */
export const CONTROL_PLANE_QUEUE = 'control-plane';

/** The reference control plane with real resources, some of whose calls tests let fail. */
export interface TestControlPlane extends TestService {
  readonly home: string;
  readonly places: TablePlaces;
  /** Stops the resource host, lets something happen, and starts it again. */
  restartHost(meanwhile: () => Promise<void>): Promise<void>;
  /** How often a call still fails, by `activity name`: `databases.createInstance orders`. */
  readonly failures: Map<string, number>;
  /** Until when a call waits, by the same. */
  readonly holds: Map<string, Promise<void>>;
  /** How often a call was made, by the same. */
  readonly calls: Map<string, number>;
}

/** Servers that name no data cluster are placed in `main`, since the others offer them no capacity. */
export const THREE_CLUSTERS: Rooms = new Map([
  ['main', 100],
  ['east', 0],
  ['west', 0],
]);

export async function startTestControlPlane({
  rooms,
  ...options
}: {
  readonly records?: RecordKeeper;
  readonly callbacks?: CallbackSettings;
  readonly rooms?: Rooms;
} = {}): Promise<TestControlPlane> {
  const home = await mkdtemp(join(tmpdir(), 'reeve-test-'));
  let host = await startHost(home, () => undefined, rooms);
  const failures = new Map<string, number>();
  const holds = new Map<string, Promise<void>>();
  const calls = new Map<string, number>();
  // The places of tables are read from their entities, by a client that is there a moment later.
  const sessions = new Sessions(new HostClient(home));
  const places: TablePlaces = { find: (key) => tablePlaces.find(key) };
  const service = await startTestService({
    alone: true,
    workflows: '../workflows/index.ts',
    declarations: [
      '../workflows/definitions.ts',
      '../workflows/components.ts',
      '../activities/tables/operations/index.ts',
    ],
    entities: controlPlane,
    components: controlPlaneComponents,
    taskQueue: CONTROL_PLANE_QUEUE,
    distributed: servedTables(places, sessions),
    resources: controlPlaneResources(home).map((resource) => unreliable(resource, { failures, holds, calls })),
    ...options,
  });
  const tablePlaces = new EntityPlaces(service.reeve);
  return {
    ...service,
    home,
    places: tablePlaces,
    failures,
    holds,
    calls,
    async restartHost(meanwhile) {
      await host.stop();
      await meanwhile();
      host = await startHost(home, () => undefined, rooms);
    },
    async close() {
      await service.close();
      await sessions.close();
      await host.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function unreliable(
  resource: ImplementedResource,
  { failures, holds, calls }: Pick<TestControlPlane, 'failures' | 'holds' | 'calls'>,
): ImplementedResource {
  return Object.fromEntries(
    Object.entries(resource).map(([activity, run]) => [
      activity,
      async (...call: Parameters<typeof run>) => {
        const [envelope] = call;
        const { application, name } = envelope.input as { application?: string; name?: string };
        const called = `${activity} ${application ?? name}`;
        calls.set(called, (calls.get(called) ?? 0) + 1);
        await holds.get(called);
        const left = failures.get(called) ?? 0;
        if (left === 0) return run(...call);
        failures.set(called, left - 1);
        const { code, message } = new ResourceError('provider_down', `${activity} is down`);
        throw ApplicationFailure.nonRetryable(message, code);
      },
    ]),
  );
}
