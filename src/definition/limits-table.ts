import * as limits from './limits.js';

/** One row of docs/limits.md. */
interface Limit {
  readonly what: string;
  readonly most: number;
  readonly unit: 'bytes' | 'characters' | 'calls' | 'messages';
  readonly checked: string;
  readonly comes: string;
}

/** All limits, for people. docs/limits.md is made of it. */
export const LIMITS: readonly Limit[] = [
  {
    what: 'Contents of an entity, with its successors and open questions',
    most: limits.SNAPSHOT_BYTES,
    unit: 'bytes',
    checked: 'when an action ends; what does not grow always passes',
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
    comes: 'the call throws a defect `input_too_large`, and no provider hears of it',
  },
  {
    what: 'Output of a call',
    most: limits.CALL_OUTPUT_BYTES,
    unit: 'bytes',
    checked: 'when the provider returns',
    comes: 'the call fails with `output_too_large`, a failed attempt',
  },
  {
    what: 'Inputs of open questions with `withdraw`, and answers from outside, of one action',
    most: limits.QUESTION_BYTES,
    unit: 'bytes',
    checked: 'when an action asks, and when an answer comes',
    comes: 'the call throws a defect `input_too_large`; the answer is rejected with `event_too_large`',
  },
  {
    what: 'Outputs that one collector takes',
    most: limits.COLLECTED_BYTES,
    unit: 'bytes',
    checked: 'when a call of it is answered',
    comes: 'that call counts as failed with `too_large`',
  },
  {
    what: 'Argument of a distributed operation',
    most: limits.EVENT_BYTES,
    unit: 'bytes',
    checked: 'by the client that starts it, and by the target',
    comes: 'the start is refused with `invalid_argument`',
  },
  {
    what: 'Description of components',
    most: limits.EVENT_BYTES,
    unit: 'bytes',
    checked: 'with the description',
    comes: 'it is refused as any mistake of a description; an action that deploys or runs it fails',
  },
  {
    what: 'Events that wait for an entity',
    most: limits.QUEUE_BYTES,
    unit: 'bytes',
    checked: 'before an event from outside is recorded',
    comes: 'the event is rejected with `try_again`',
  },
  {
    what: 'Events that travel to an entity together',
    most: limits.BATCH_BYTES,
    unit: 'bytes',
    checked: 'by the client',
    comes: 'the rest travels in the next batch',
  },
  {
    what: 'What one workflow task sends',
    most: limits.TASK_BYTES,
    unit: 'bytes',
    checked: 'before each call, message and start',
    comes: 'the rest is sent in the next task, a millisecond later',
  },
  {
    what: 'Records that a run leaves to the next one',
    most: limits.CARRIED_BYTES,
    unit: 'bytes',
    checked: 'when the run ends',
    comes: 'a separate workflow writes them to the store',
  },
  {
    what: 'What a waiting action has learnt, for the next run',
    most: limits.JOURNAL_BYTES,
    unit: 'bytes',
    checked: 'when the run is long',
    comes: 'the action ends in this run',
  },
  {
    what: 'Messages that a run leaves unsent',
    most: limits.UNSENT_BYTES,
    unit: 'bytes',
    checked: 'when the run is long',
    comes: 'the run sends more before it ends',
  },
  {
    what: 'Calls of one entity under way at once',
    most: limits.MOST_ACTIVITIES,
    unit: 'calls',
    checked: 'when an action calls',
    comes: 'the call waits for its turn',
  },
  {
    what: 'Events and answers of one entity under way at once',
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
    comes: 'it is refused with `invalid_key`',
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
    comes: 'they are cut',
  },
  {
    what: 'Log of a process of `reeve up`',
    most: limits.LOG_FILE_BYTES,
    unit: 'bytes',
    checked: 'every ten seconds',
    comes: 'it becomes `<name>.log.1`, and a new one begins',
  },
];
