import type { TestService } from './service.js';

/** One workflow task, as the history tells it. */
export interface WorkflowTask {
  /** The time that workflow code saw. Milliseconds since 1970. */
  readonly at: number;
  /** All that had come in since the task before: `ActivityTaskCompleted createInstance`. */
  readonly inputs: readonly string[];
  /** The commands that the code asked for. */
  readonly commands: readonly string[];
}

const attributesOf = (event: object): Record<string, unknown> =>
  (Object.entries(event).find(([name, value]) => name.endsWith('EventAttributes') && value)?.[1] ?? {}) as Record<
    string,
    unknown
  >;
const millisecondsOf = (time: unknown): number => {
  const { seconds, nanos } = time as { readonly seconds: number | { toNumber(): number }; readonly nanos: number };
  return (typeof seconds === 'number' ? seconds : seconds.toNumber()) * 1_000 + Math.floor(nanos / 1e6);
};

/** The completed tasks of a workflow's latest run, read from its history. */
export async function workflowTasks(
  { environment }: TestService,
  workflowId: string,
): Promise<readonly WorkflowTask[]> {
  const { events } = await environment.client.workflow.getHandle(workflowId).fetchHistory();
  const names = new Map<string, string>();
  const tasks: { at: number; inputs: string[]; commands: string[] }[] = [];
  let inputs: string[] = [];
  let startedAt = 0;
  for (const event of events ?? []) {
    const attributes = attributesOf(event);
    const kind = Object.entries(event).find(([name, value]) => name.endsWith('EventAttributes') && value)?.[0] ?? '';
    const type = kind.replace(/EventAttributes$/, '');
    const activity = (attributes['activityType'] as { readonly name?: string } | undefined)?.name;
    if (type === 'activityTaskScheduled') names.set(String(event.eventId), activity ?? '');
    const name = names.get(String(attributes['scheduledEventId'])) ?? activity ?? '';
    const told = `${type} ${name}`.trim();
    if (type === 'workflowTaskStarted') startedAt = millisecondsOf(event.eventTime);
    else if (type === 'workflowTaskCompleted') {
      tasks.push({ at: startedAt, inputs, commands: [] });
      inputs = [];
    } else if (
      attributes['workflowTaskCompletedEventId'] !== undefined &&
      tasks.length > 0 &&
      type !== 'workflowExecutionUpdateAccepted'
    ) {
      tasks.at(-1)!.commands.push(told);
    } else inputs.push(told);
  }
  return tasks;
}
