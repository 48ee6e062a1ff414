import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_TASK_QUEUE } from '../../src/protocol/names.js';
import { BuildRouting, LIMITS, Rollout } from '../../src/rollout/index.js';
import { DEPLOYMENT, type Rig, type RigBuild } from './rig.js';

/** How long a build is left alone before the other one takes over again, in milliseconds. */
const PEACE_MS = 3_000;
const WOKEN_PER_SECOND = 30;

/** Two builds of the same entities that take over from each other again and again. Neither could replay a history of the other. */
export class TwoBuilds {
  readonly #rig: Rig;
  readonly builds: readonly [RigBuild, RigBuild];
  readonly #routing: BuildRouting;
  /** How often one has taken over all that ran. */
  taken = 0;

  private constructor(rig: Rig, builds: readonly [RigBuild, RigBuild]) {
    this.#rig = rig;
    this.builds = builds;
    this.#routing = new BuildRouting(rig.client, DEPLOYMENT);
  }

  static async start(rig: Rig, report: (line: string) => void): Promise<TwoBuilds> {
    const path = (name: string) => fileURLToPath(new URL(`./entities/${name}.js`, import.meta.url));
    const made = [await rig.build('one', path('workflows')), await rig.build('two', path('next-workflows'))] as const;
    for (const { workers } of made) await workers.start();
    const both = new TwoBuilds(rig, made);
    while (((await both.#routing.read())?.builds.length ?? 0) < made.length) await delay(500);
    await both.#rollOut(made[0], report);
    return both;
  }

  /** Lets one take over from the other until it is told to end. */
  async run(isOver: () => boolean, report: (line: string) => void): Promise<void> {
    for (let turn = 1; !isOver(); turn++) {
      await delay(PEACE_MS);
      await this.#rollOut(this.builds[turn % 2]!, report);
    }
  }

  async #rollOut(build: RigBuild, report: (line: string) => void): Promise<void> {
    const { client } = this.#rig;
    const rollout = new Rollout({
      ...{
        client,
        routing: this.#routing,
        taskQueue: DEFAULT_TASK_QUEUE,
        build: build.name,
        perSecond: WOKEN_PER_SECOND,
      },
      // Workers that are killed are no fault of the build.
      limits: { ...LIMITS, failing: Infinity },
      report: (progress) => report(`${build.name}: ${JSON.stringify(progress)}`),
    });
    const end = await rollout.run([10, 100], 0, true);
    if (end.kind !== 'done') throw new Error(`${build.name} was not rolled out: ${JSON.stringify(end)}`);
    this.taken++;
  }
}
