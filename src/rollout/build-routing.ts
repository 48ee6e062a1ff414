import { isGrpcServiceError, type Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { setTimeout as delay } from 'node:timers/promises';
import { SCHEMAS_NOTE } from '../protocol/names.js';
import type { BuildSchemas } from '../temporal/build-schemas.js';

/** How a rollout of a build stands, as it is noted at the build itself: whoever asks later reads it there. */
export interface RolloutNote {
  /**
   * `rolling`: cohorts go over. `done`: all new runs get the build. `rolled_back`: it was rolled back. `stopped`: it stays where it is, since
   * it cannot be rolled back.
   */
  readonly state: 'rolling' | 'done' | 'rolled_back' | 'stopped';
  /** The build to which a rollback leads; nothing where workers without versions came before. */
  readonly previous?: string;
  /** When it began, in milliseconds since 1970. */
  readonly since: number;
  /** Tells who began it: `ada@ops-1`; nothing in notes of older versions. */
  readonly by?: string;
  /** When it was rolled back or stopped, in milliseconds since 1970; nothing in notes of older versions. */
  readonly endedAt?: number;
  /** Tells who rolled it back; nothing where the rollout did so by itself. */
  readonly endedBy?: string;
  /** Why it was rolled back or stopped. */
  readonly reason?: string;
  /** Set where the build before it cannot read what it migrates, and it was begun nevertheless: it is never rolled back. */
  readonly noRollback?: true;
}

/** A build of a deployment that Temporal knows. */
export interface Build {
  readonly build: string;
  /** Set where new runs have begun on it at some time, or were to: it has been current, or has had a part of the ramp. */
  readonly activated?: true;
  readonly note?: RolloutNote;
  /** The schemas that it reads of its entities, once one of its workers has noted them. */
  readonly schemas?: BuildSchemas;
}

/** Which builds get new runs. */
export interface Routing {
  /** The build of new runs; nothing where workers without versions get them. */
  readonly current?: string;
  /** The build that so many percent of the workflows get instead. */
  readonly ramp?: { readonly build: string; readonly percent: number };
  readonly builds: readonly Build[];
}

const NOTE = 'reeve.rollout';
/** gRPC status codes. */
const [NOT_FOUND, FAILED_PRECONDITION] = [5, 9];
/** How long workers may take from their start until they ask for work of all kinds, and the pause between two looks, in milliseconds. */
const TAKES_QUEUES_MS = 20_000;
const AGAIN_MS = 500;

/** The builds of an application as Temporal routes runs to them: its "worker deployment". Q2 */
export class BuildRouting {
  readonly #client: Client;
  readonly deployment: string;

  constructor(client: Client, deployment: string) {
    this.#client = client;
    this.deployment = deployment;
  }

  /** @returns nothing where no worker has ever named this deployment */
  async read(): Promise<Routing | undefined> {
    const info = await unlessUnknown(this.#service.describeWorkerDeployment(this.#named));
    if (!info) return undefined;
    const { routingConfig, versionSummaries } = info.workerDeploymentInfo ?? {};
    const known = (versionSummaries ?? []).flatMap(({ deploymentVersion: version, firstActivationTime: first }) =>
      version?.buildId ? [{ build: version.buildId, ...(first && { activated: true as const }) }] : [],
    );
    const current = routingConfig?.currentDeploymentVersion?.buildId;
    const ramping = routingConfig?.rampingDeploymentVersion?.buildId;
    const percent = routingConfig?.rampingVersionPercentage ?? 0;
    return {
      builds: await Promise.all(known.map(async (each) => ({ ...each, ...(await this.#noted(each.build)) }))),
      ...(current && { current }),
      ...(ramping && percent > 0 && { ramp: { build: ramping, percent } }),
    };
  }

  /**
   * Lets this part of the workflows begin new runs on the build. Workers that have just started take all their task queues soon: it
   * waits for that. @throws Error where no worker of it is there
   */
  async ramp(build: string, percent: number): Promise<void> {
    const change = { ...this.#named, buildId: build, percentage: percent };
    const endsAt = Date.now() + TAKES_QUEUES_MS;
    for (;;) {
      try {
        await this.#service.setWorkerDeploymentRampingVersion(change);
        return;
      } catch (thrown) {
        const isStarting = isGrpcServiceError(thrown) && thrown.details.includes('missing active task queues');
        if (!isStarting || Date.now() > endsAt) throw this.#unserved(build, thrown);
        await delay(AGAIN_MS);
      }
    }
  }

  async endRamp(): Promise<void> {
    await this.#service.setWorkerDeploymentRampingVersion({ ...this.#named, buildId: '', percentage: 0 });
  }

  /** Lets all new runs begin on the build; without one, on workers without versions. A ramp of the same build ends. */
  async makeCurrent(build: string | undefined): Promise<void> {
    try {
      await this.#service.setWorkerDeploymentCurrentVersion({
        ...this.#named,
        buildId: build ?? '',
        // The workers of the build before this one may be gone when the way leads back.
        ignoreMissingTaskQueues: true,
      });
    } catch (thrown) {
      throw build === undefined ? thrown : this.#unserved(build, thrown);
    }
  }

  async note(build: string, note: RolloutNote): Promise<void> {
    await this.#service.updateWorkerDeploymentVersionMetadata({
      ...this.#of(build),
      identity: this.#client.options.identity,
      upsertEntries: { [NOTE]: defaultPayloadConverter.toPayload(note) },
    });
  }

  async #noted(build: string): Promise<Pick<Build, 'note' | 'schemas'>> {
    const found = await unlessUnknown(this.#service.describeWorkerDeploymentVersion(this.#of(build)));
    const { [NOTE]: note, [SCHEMAS_NOTE]: schemas } = found?.workerDeploymentVersionInfo?.metadata?.entries ?? {};
    return {
      ...(note && { note: defaultPayloadConverter.fromPayload<RolloutNote>(note) }),
      ...(schemas && { schemas: defaultPayloadConverter.fromPayload<BuildSchemas>(schemas) }),
    };
  }

  /** Gives what to throw where Temporal does not know a build, or does not believe that it is served. */
  #unserved(build: string, thrown: unknown): unknown {
    if (!isGrpcServiceError(thrown) || ![NOT_FOUND, FAILED_PRECONDITION].includes(Number(thrown.code))) return thrown;
    return new Error(
      `Temporal does not lead workflows of '${this.deployment}' to the build '${build}': ${thrown.details}. ` +
        `Start workers of this build, and try again.`,
      { cause: thrown },
    );
  }

  get #service() {
    return this.#client.workflowService;
  }

  get #named() {
    const { namespace, identity } = this.#client.options;
    return { namespace, deploymentName: this.deployment, identity };
  }

  #of(build: string) {
    const { namespace } = this.#client.options;
    return { namespace, deploymentVersion: { deploymentName: this.deployment, buildId: build } };
  }
}

async function unlessUnknown<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (isGrpcServiceError(thrown) && Number(thrown.code) === NOT_FOUND) return undefined;
    throw thrown;
  }
}
