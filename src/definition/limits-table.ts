import * as limits from './limits.js';

/** One row of docs/reference/limits.md. */
interface Limit {
  readonly what: string;
  readonly most: number;
  readonly unit: 'bytes' | 'calls' | 'characters' | 'entities' | 'messages';
  readonly checked: string;
  readonly comes: string;
}

/** Lists all limits, for docs/reference/limits.md. */
export const LIMITS: readonly Limit[] = [
  {
    what: 'Contents of an entity, with its successors and pending callbacks',
    most: limits.SNAPSHOT_BYTES,
    unit: 'bytes',
    checked: 'when an action ends; contents that do not grow always pass',
    comes: 'the action fails with `snapshot_too_large`, which names the largest parts',
  },
  {
    what: 'Parameters and construction values of one event',
    most: limits.EVENT_BYTES,
    unit: 'bytes',
    checked: 'by the client, by the entity, and when an action raises it',
    comes: 'the event is rejected, or the action fails, with `event_too_large` (HTTP 413); a plain signal is dropped',
  },
  {
    what: 'Input of a call',
    most: limits.CALL_INPUT_BYTES,
    unit: 'bytes',
    checked: 'when an action calls',
    comes: 'the call throws a defect `input_too_large`, and no provider is called',
  },
  {
    what: 'Output of a call',
    most: limits.CALL_OUTPUT_BYTES,
    unit: 'bytes',
    checked: 'when the provider returns',
    comes: 'the call fails with `output_too_large`, as a failed attempt',
  },
  {
    what: 'Inputs of pending callbacks with `withdraw`, and their answers, of one action',
    most: limits.QUESTION_BYTES,
    unit: 'bytes',
    checked: 'when an action calls, and when an answer arrives',
    comes: 'the call throws a defect `input_too_large`; the answer is rejected with `event_too_large`',
  },
  {
    what: 'Outputs of one collector',
    most: limits.COLLECTED_BYTES,
    unit: 'bytes',
    checked: 'when one of its calls is answered',
    comes: 'that call counts as failed with `too_large`',
  },
  {
    what: 'Argument of a distributed operation',
    most: limits.EVENT_BYTES,
    unit: 'bytes',
    checked: 'by the client that starts it, and by the target',
    comes: 'the start is rejected with `invalid_argument`',
  },
  {
    what: 'Description of components',
    most: limits.EVENT_BYTES,
    unit: 'bytes',
    checked: 'with the other rules for descriptions',
    comes: 'it is rejected as invalid; an action that deploys or runs it fails',
  },
  {
    what: 'Events in the queue of an entity',
    most: limits.QUEUE_BYTES,
    unit: 'bytes',
    checked: 'before an event from outside is recorded',
    comes: 'the event is rejected with `try_again`',
  },
  {
    what: 'Events in one batch to an entity',
    most: limits.BATCH_BYTES,
    unit: 'bytes',
    checked: 'by the client',
    comes: 'the rest is sent in the next batch',
  },
  {
    what: 'Commands of one workflow task',
    most: limits.TASK_BYTES,
    unit: 'bytes',
    checked: 'before each call, message and start',
    comes: 'the rest is sent in the next task, a millisecond later',
  },
  {
    what: 'Records that a run passes to the next one',
    most: limits.CARRIED_BYTES,
    unit: 'bytes',
    checked: 'when the run ends',
    comes: 'a separate workflow writes them to the store',
  },
  {
    what: 'Results that a waiting action passes to the next run',
    most: limits.JOURNAL_BYTES,
    unit: 'bytes',
    checked: 'when a long run continues as new',
    comes: 'the action ends in this run',
  },
  {
    what: 'Unsent messages that a run passes to the next one',
    most: limits.UNSENT_BYTES,
    unit: 'bytes',
    checked: 'when a long run continues as new',
    comes: 'the run sends more before it ends',
  },
  {
    what: 'Entities that have yet to accept an event of one entity',
    most: limits.MOST_PENDING,
    unit: 'entities',
    checked: 'when an action ends',
    comes: 'the action fails with `too_many_raised`',
  },
  {
    what: 'Events that one action raises',
    most: limits.RAISED_BYTES,
    unit: 'bytes',
    checked: 'when the action ends',
    comes: 'the action fails with `too_many_raised`',
  },
  {
    what: 'Calls of one entity in parallel',
    most: limits.MOST_ACTIVITIES,
    unit: 'calls',
    checked: 'when an action calls',
    comes: 'the call waits for its turn',
  },
  {
    what: 'Events and answers of one entity in parallel',
    most: limits.MOST_MESSAGES,
    unit: 'messages',
    checked: 'before each is sent',
    comes: 'it waits for its turn',
  },
  {
    what: 'Key of an entity',
    most: limits.LONGEST_KEY,
    unit: 'characters',
    checked: 'by the client, by the entity, and when an action names it',
    comes: 'it is rejected with `invalid_key`',
  },
  {
    what: 'Summary of a call',
    most: limits.SUMMARY_CHARACTERS,
    unit: 'characters',
    checked: 'when it is shown',
    comes: 'it is truncated, and shows by how much',
  },
  {
    what: 'Message of an error or a rejection',
    most: limits.LONGEST_MESSAGE,
    unit: 'characters',
    checked: 'where it is thrown',
    comes: 'it is truncated, and shows by how much',
  },
  {
    what: 'Code of an error',
    most: limits.LONGEST_CODE,
    unit: 'characters',
    checked: 'where it is thrown',
    comes: 'it is truncated, and shows by how much',
  },
  {
    what: 'Stack of an error, beside its message',
    most: limits.LONGEST_STACK,
    unit: 'characters',
    checked: 'where it is thrown',
    comes: 'it is truncated, and shows by how much',
  },
  {
    what: 'Fields of a line of a log',
    most: limits.LOGGED_CHARACTERS,
    unit: 'characters',
    checked: 'by the logger',
    comes: 'they are truncated',
  },
  {
    what: 'Log of a process of `reeve up`',
    most: limits.LOG_FILE_BYTES,
    unit: 'bytes',
    checked: 'every ten seconds',
    comes: 'it is renamed to `<name>.log.1`, and a new one begins',
  },
];
