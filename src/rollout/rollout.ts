/*
 * How a new build takes over what runs.
 *
 * rollout.1. What Temporal routes and what is noted at the build is all there is to know: whoever comes after an interruption reads
 *     it there, and goes on.
 * rollout.2. The ramp comes first, and wakes follow: a workflow that is woken finds the way to the build open.
 * rollout.3. On a rollback the wakes end first, then the way is closed, and then those that had gone over are woken, so that they
 *     go on where new runs begin.
 * rollout.4. No entity is led to a build that cannot read it: what could not be rolled back is refused before it begins, or begun
 *     without a rollback on purpose. Then too many failures stop it where it is.
 */
import type { Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import type { Build, BuildRouting, RolloutNote, Routing } from './build-routing.js';
import { ALL, isInCohort, type Cohorts } from './cohort.js';
import { Fleet, idsOf } from './fleet.js';
import { isServedWithoutVersion } from '../temporal/served-builds.js';
import { LIMITS, objection, type GuardLimits } from './guard.js';
import { Waker } from './wake.js';
import { typesWithout, unreadable, type ReadingBuild } from './rollback.js';
import { BuildWatch, type CountActions } from './watch.js';

export interface RolloutOptions {
  readonly client: Client;
  readonly routing: BuildRouting;
  readonly taskQueue: string;
  readonly build: string;
  /** Tells who asks for it: `ada@ops-1`. */
  readonly by?: string;
  /** Is called when it has begun or is rolled back, once that is noted. */
  readonly noted?: (change: 'rollout' | 'rollout undo', reason?: string) => Promise<void>;
  /** How many workflows are woken in a second at most. */
  readonly perSecond: number;
  /** Tells whether it begins also where the build before it could not read what this one migrates. */
  readonly noRollback?: boolean | undefined;
  /** How many failures are too much. */
  readonly limits?: GuardLimits;
  /** Tells of failed actions. Without it, only failed tasks are watched. */
  readonly countActions?: CountActions | undefined;
  readonly report: (progress: Progress) => void;
}

export type Progress =
  /** `behind`: how many of the cohort have yet to go over. */
  | { readonly kind: 'cohort'; readonly percent: number; readonly behind: number; readonly woken: number }
  /** `left`: how many run on other builds. */
  | { readonly kind: 'drain'; readonly left: number }
  | { readonly kind: 'rolled_back'; readonly left: number; readonly reason: string };

export type RolloutEnd =
  /** All new runs begin on the build. `left` are on other builds still; with 0, these are drained. */
  | { readonly kind: 'done'; readonly left: number }
  /** `left` are on the build still. */
  | { readonly kind: 'rolled_back'; readonly left: number; readonly reason: string }
  /** There is no way back. `left` are on the build, and stay there. */
  | { readonly kind: 'stopped'; readonly left: number; readonly reason: string };

/** How often it looks, in milliseconds. */
const LOOK_EVERY_MS = 1_000;
/** One that could not go over when it was woken is woken again after this time. */
const AGAIN_AFTER_MS = 30_000;
/** An entity at rest has gone on in a new run after this time, even on a busy machine. */
const BACK_WITHIN_MS = 30_000;
/** How long the workers of a build may take from their start until they have noted what it reads, in milliseconds. */
const NOTES_WITHIN_MS = 20_000;

export class Rollout {
  readonly #options: RolloutOptions;
  readonly #fleet: Fleet;
  readonly #waker: Waker;

  constructor(options: RolloutOptions) {
    this.#options = options;
    this.#fleet = new Fleet(options.client, options.routing.deployment, options.taskQueue);
    this.#waker = new Waker(options.client, options.perSecond);
  }

  /**
   * Lets one cohort after the other go over. One that was interrupted goes on where it was.
   * @param soakMs how long each cohort is watched at least
   * @param waits whether it waits until nothing runs on other builds
   * @throws Error when the build is not known, when another one is being rolled out, and when entities would come to a build that
   *   cannot read them
   */
  async run(cohorts: Cohorts, soakMs: number, waits: boolean): Promise<RolloutEnd> {
    const { routing, build } = this.#options;
    const found = await this.#begin();
    const note = found.note;
    const watch = new BuildWatch(this.#fleet, build, note.since, this.#options.countActions);
    if (found.current !== build) {
      const reached = found.ramp?.percent ?? 0;
      for (const percent of cohorts.filter((each) => each >= reached)) {
        await routing.ramp(build, percent);
        const reason = await this.#guarded(watch, percent, (stop) => this.#move(percent, soakMs, stop));
        if (reason !== undefined) return this.#giveUp(note, reason);
      }
      if (cohorts.at(-1) !== ALL) return { kind: 'done', left: await this.#countBehind() };
      await routing.makeCurrent(build);
    }
    await routing.note(build, { ...note, state: 'done' });
    if (!waits) return { kind: 'done', left: await this.#countBehind() };
    const reason = await this.#guarded(watch, ALL, (stop) => this.#drain(stop));
    return reason === undefined ? { kind: 'done', left: 0 } : this.#giveUp(note, reason);
  }

  async #giveUp(note: RolloutNote, reason: string): Promise<RolloutEnd> {
    if (!note.noRollback) return this.#rollBack(reason);
    const { routing, build } = this.#options;
    await routing.note(build, { ...note, state: 'stopped', endedAt: Date.now(), reason });
    return { kind: 'stopped', left: await this.#fleet.count(build), reason };
  }

  /**
   * Rolls the build back. What has moved to it continues where new executions begin.
   * @throws Error where it was rolled out without a rollback, and where new executions would begin on no worker
   */
  async undo(reason: string): Promise<RolloutEnd> {
    const { client, build, taskQueue } = this.#options;
    const { current, builds } = await this.#known();
    const leadsToUnversioned = current === build && !builds.some((each) => each.build === build && each.note?.previous);
    if (leadsToUnversioned && !(await isServedWithoutVersion(client, taskQueue))) {
      throw new Error(
        `There is no build before '${build}' to roll back to: its workflows would move to workers without versions, and there are none. ` +
          `Roll another build out: reeve rollout BUILD.`,
      );
    }
    return this.#rollBack(reason, this.#options.by);
  }

  async #rollBack(reason: string, by?: string): Promise<RolloutEnd> {
    const { routing, build, report } = this.#options;
    const { current, ramp, builds } = await this.#known();
    const found = builds.find((each) => each.build === build);
    const note = found?.note;
    if (note?.noRollback) {
      throw new Error(
        `'${build}' was rolled out without a rollback: the previous build cannot read what it has migrated. ` +
          `Fix the code, and roll the next build out.`,
      );
    }
    const previous = builds.find((each) => each.build === note?.previous);
    const stays = found?.schemas && previous?.schemas ? typesWithout(reading(found), reading(previous)) : [];
    // It is noted before it is done, so that whoever comes after an interruption knows which way it was to go. rollout.1
    await routing.note(build, rolledBack(note, reason, Date.now(), by));
    await this.#options.noted?.('rollout undo', reason);
    if (ramp?.build === build) await routing.endRamp();
    if (current === build) await routing.makeCurrent(note?.previous);
    for (const until = Date.now() + BACK_WITHIN_MS; ;) {
      const on = await idsOf(this.#fleet.on(build));
      const mayGo = on.filter((id) => !stays.some((type) => id.startsWith(`${type}/`)));
      report({ kind: 'rolled_back', left: on.length, reason });
      if (mayGo.length === 0 || Date.now() > until) return { kind: 'rolled_back', left: on.length, reason };
      await this.#waker.wake(mayGo, AGAIN_AFTER_MS / 3, new AbortController().signal);
      await delay(LOOK_EVERY_MS);
    }
  }

  async #begin(): Promise<Routing & { readonly note: RolloutNote }> {
    const { routing, build, by } = this.#options;
    const found = await this.#known();
    const known = found.builds.find((each) => each.build === build);
    if (!known) {
      const names = found.builds.map((each) => each.build).join(', ');
      throw new Error(
        `No worker has ever served the build '${build}'. The builds of '${routing.deployment}' are: ${names}.`,
      );
    }
    const ramping = found.builds.find((each) => each.build === found.ramp?.build);
    // One that was stopped without a rollback is followed by its mended build, which begins with all of its cohort.
    if (ramping && ramping.build !== build && ramping.note?.state !== 'stopped') {
      throw new Error(
        `The build '${ramping.build}' is being rolled out, and has ${found.ramp!.percent} % of the workflows. ` +
          `Continue with it, or roll it back first: reeve rollout undo.`,
      );
    }
    const goesOn = known.note?.state === 'rolling' || (found.current === build && ramping === undefined);
    const note: RolloutNote =
      goesOn && known.note
        ? known.note
        : {
            ...{ state: 'rolling', since: Date.now(), ...(await this.#rollbackTo(found, ramping?.build)) },
            ...(found.current !== undefined && { previous: found.current }),
            ...(by !== undefined && { by }),
          };
    if (!goesOn) {
      await routing.note(build, note);
      await this.#options.noted?.('rollout');
    }
    return { ...found, note };
  }

  /**
   * Looks that all entities can go on with the build, and back. Workers without versions are of the same code.
   * @param stopped the build that is followed by this one
   */
  async #rollbackTo({ current }: Routing, stopped: string | undefined): Promise<Pick<RolloutNote, 'noRollback'>> {
    const { build, noRollback } = this.#options;
    const next = await this.#reading(build);
    for (const name of new Set([current, stopped])) {
      if (name === undefined || name === build) continue;
      const present = await this.#reading(name);
      const missing: string[] = [];
      for (const type of typesWithout(present, next)) if ((await this.#fleet.countOf(type)) > 0) missing.push(type);
      const reasons = [
        ...missing.map((type) => `'${build}' does not have ${type}, and some of these entities run`),
        ...(unreadable(present, next) ?? []),
      ];
      if (reasons.length > 0)
        throw new Error(`'${build}' cannot take over the running entities: ${reasons.join('; ')}.`);
    }
    const back = current === undefined ? undefined : unreadable(next, await this.#reading(current));
    if (!back) return {};
    if (noRollback) return { noRollback };
    throw new Error(
      `'${build}' could not be rolled back: ${back.join('; ')}. Give each of its migrations a 'down' (docs/guides/migrations.md), or begin ` +
        `anyway with --no-rollback. Too many failures then stop the rollout where it is.`,
    );
  }

  /** Finds what a build reads, once one of its workers has noted it. */
  async #reading(build: string): Promise<ReadingBuild> {
    for (const until = Date.now() + NOTES_WITHIN_MS; ;) {
      const found = (await this.#known()).builds.find((each) => each.build === build);
      if (found?.schemas) return reading(found);
      if (Date.now() > until) {
        throw new Error(
          `No worker of the build '${build}' has noted which schemas it reads. Start a worker of it, and try again.`,
        );
      }
      await delay(LOOK_EVERY_MS);
    }
  }

  async #known(): Promise<Routing> {
    const { routing } = this.#options;
    const found = await routing.read();
    if (found) return found;
    throw new Error(
      `No worker has ever said that it serves the deployment '${routing.deployment}'. Start one with REEVE_BUILD=auto, or name ` +
        `the deployment by REEVE_DEPLOYMENT as the workers do.`,
    );
  }

  /** Wakes a cohort until all who can have gone over. */
  async #move(percent: number, soakMs: number, stop: AbortSignal): Promise<void> {
    const soaked = Date.now() + soakMs;
    while (!stop.aborted) {
      const behind = (await idsOf(this.#fleet.behind(this.#options.build))).filter((id) => isInCohort(id, percent));
      const fresh = behind.some((id) => this.#waker.isNew(id));
      this.#options.report({ kind: 'cohort', percent, behind: behind.length, woken: this.#waker.woken });
      if (!fresh && Date.now() >= soaked) return;
      await this.#waker.wake(behind, AGAIN_AFTER_MS, stop);
      await pause(stop);
    }
  }

  /** Waits until nothing runs on other builds, and wakes who may go over. */
  async #drain(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const behind = await idsOf(this.#fleet.behind(this.#options.build));
      this.#options.report({ kind: 'drain', left: behind.length });
      if (behind.length === 0) return;
      await this.#waker.wake(behind, AGAIN_AFTER_MS, stop);
      await pause(stop);
    }
  }

  async #countBehind(): Promise<number> {
    return (await idsOf(this.#fleet.behind(this.#options.build))).length;
  }

  /** Does the work while the build is watched. Gives why the build has to be rolled back; then the work was stopped. */
  async #guarded(
    watch: BuildWatch,
    percent: number,
    work: (stop: AbortSignal) => Promise<void>,
  ): Promise<string | undefined> {
    const over = new AbortController();
    const look = async () => objection(await watch.look(percent), this.#options.limits ?? LIMITS);
    const guard = async () => {
      while (!over.signal.aborted) {
        const reason = await look();
        if (reason !== undefined) return reason;
        await pause(over.signal);
      }
      return look();
    };
    const end = () => over.abort();
    const [worked, guarded] = await Promise.allSettled([work(over.signal).finally(end), guard().finally(end)]);
    if (guarded.status === 'rejected') throw guarded.reason;
    if (worked.status === 'rejected') throw worked.reason;
    return guarded.value;
  }
}

/** Notes that a build is rolled back. One whose rollback was interrupted keeps its time, and who began it. */
export function rolledBack(note: RolloutNote | undefined, reason: string, now: number, by?: string): RolloutNote {
  const isAgain = note?.state === 'rolled_back';
  const endedAt = isAgain ? note.endedAt : now;
  const endedBy = isAgain ? note.endedBy : by;
  return {
    ...{ since: now, ...note, state: 'rolled_back', reason },
    ...(endedAt !== undefined && { endedAt }),
    ...(endedBy !== undefined && { endedBy }),
  };
}

function reading({ build, schemas = {} }: Build): ReadingBuild {
  return { build, schemas };
}

function pause(stop: AbortSignal): Promise<unknown> {
  return delay(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
}
