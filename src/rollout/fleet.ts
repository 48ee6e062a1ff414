import type { Client } from '@temporalio/client';

/** A running workflow, as lists show it. */
export interface Member {
  readonly id: string;
  /** The build on which its run began; nothing before its first task, and without Worker Versioning. */
  readonly build?: string;
  /** When its run began, in milliseconds since 1970. */
  readonly startedAt: number;
}

const PAGE = 1_000;
const BUILD = 'TemporalWorkerDeploymentVersion';
/** Temporal sets this for a workflow whose task has failed several times in a row. */
const FAILING = 'TemporalReportedProblems IS NOT NULL';

/** All running workflows of an application, whatever their type: entities, operations, deployments, the keeper. */
export class Fleet {
  readonly #client: Client;
  readonly #deployment: string;
  readonly #all: string;

  constructor(client: Client, deployment: string, taskQueue: string) {
    this.#client = client;
    this.#deployment = deployment;
    // A workflow that runs on workers without versions is known by its task queue alone.
    const own = `(TemporalWorkerDeployment = '${deployment}' OR (${BUILD} IS NULL AND TaskQueue = '${taskQueue}'))`;
    this.#all = `ExecutionStatus = 'Running' AND ${own}`;
  }

  /** Those whose run is on this build. @param startedAfter only those whose run began later, in milliseconds since 1970 */
  on(build: string, startedAfter?: number): AsyncIterable<Member> {
    const later = startedAfter === undefined ? '' : ` AND StartTime > '${new Date(startedAfter).toISOString()}'`;
    return this.#list(`${this.#is(build)}${later}`);
  }

  /** Those whose run is on another build, or on workers without versions. */
  behind(build: string): AsyncIterable<Member> {
    return this.#list(`NOT (${this.#is(build)})`, `${BUILD} IS NULL`);
  }

  /** Those whose run began earlier. @param time in milliseconds since 1970 */
  startedBefore(time: number): AsyncIterable<Member> {
    return this.#list(`StartTime < '${new Date(time).toISOString()}'`);
  }

  failing(): AsyncIterable<Member> {
    return this.#list(FAILING);
  }

  /** How many there are of a type of workflow. */
  async countOf(type: string): Promise<number> {
    return (await this.#client.workflow.count(`${this.#all} AND WorkflowType = '${type}'`)).count;
  }

  /** How many there are on a build; without one, on workers without versions. */
  async count(build: string | undefined): Promise<number> {
    const which = build === undefined ? `${BUILD} IS NULL` : this.#is(build);
    return (await this.#client.workflow.count(`${this.#all} AND ${which}`)).count;
  }

  #is(build: string): string {
    return `${BUILD} = '${this.#deployment}:${build}'`;
  }

  async *#list(...conditions: readonly string[]): AsyncGenerator<Member> {
    const query = `${this.#all} AND (${conditions.join(' OR ')})`;
    for await (const { workflowId, startTime, searchAttributes } of this.#client.workflow.list({
      query,
      pageSize: PAGE,
    })) {
      const version = searchAttributes[BUILD]?.[0]?.toString();
      const build = version?.slice(version.indexOf(':') + 1);
      yield { id: workflowId, startedAt: startTime.getTime(), ...(build !== undefined && { build }) };
    }
  }
}

export async function idsOf(members: AsyncIterable<Pick<Member, 'id'>>): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of members) ids.push(id);
  return ids;
}
