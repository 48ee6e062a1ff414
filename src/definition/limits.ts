/*
 * How large anything may be. Temporal ends a workflow, or fails its task for ever, when one argument has more than 2 MB, and takes no
 * message of more than 4 MB. So everything is checked before it is sent, in bytes of its JSON: a character takes up to three, and what
 * is encrypted grows by less than a thousandth. `limits-table.ts` says where each limit is checked. S1.5a
 *
 * All that goes along into the next run has to fit into one argument: snapshot, queue, records, and either the event of the running action
 * and its journal, or what is not sent yet: 2 MB less 128 KB for the ledger and the engagements.
 */
const KB = 1024;

/** The most that actions may let an entity hold, in bytes: contents, successors, open questions and more. A thousand successors fit. */
export const SNAPSHOT_BYTES = 512 * KB;
/** The most that may wait in front of an entity, in bytes: some 1,300 events without large parameters. */
export const QUEUE_BYTES = 512 * KB;
/** The records that a run leaves to the next one, in bytes. */
export const CARRIED_BYTES = 384 * KB;
/** The parameters and construction values of one event, in bytes. */
export const EVENT_BYTES = 256 * KB;
/** The events that travel to an entity together, in bytes. */
export const BATCH_BYTES = 1_024 * KB;
/** The most that a running action may have learnt to go along into the next run, in bytes. */
export const JOURNAL_BYTES = 256 * KB;
/** The most that may be left unsent when a run ends, in bytes. The run goes on until it is less. */
export const UNSENT_BYTES = 512 * KB;
/** The input of one call, in bytes. */
export const CALL_INPUT_BYTES = 1_000_000;
/** The output of one call, in bytes. */
export const CALL_OUTPUT_BYTES = 1_000_000;
/** The inputs of open questions of which the providers are told when they are closed, and answers, in bytes: the snapshot keeps them. */
export const QUESTION_BYTES = 256 * KB;
/** The outputs that one collector takes, in bytes. */
export const COLLECTED_BYTES = 256 * KB;
/** The most that a workflow sends in one task, in bytes, unless a single thing is larger. More waits for the next task. */
export const TASK_BYTES = 1_500 * KB;
/** The longest key, in characters. With the name of its type it is the id of a workflow, of 255 characters at most. */
export const LONGEST_KEY = 200;

/**
 * How many activities Reeve lets a workflow have under way: calls, and lanes of jobs. Temporal allows 2,000: a task that asks for one
 * more fails, and so does each that is made of it again. One that was cancelled counts until its worker has heard of it.
 */
export const MOST_ACTIVITIES = 1_000;
/**
 * How many messages an entity has under way. Temporal allows 2,000, and fails a task while more than 100 answers to them come: it is
 * made again from the beginning of the run.
 */
export const MOST_MESSAGES = 50;
/** How many judgements go to an operation in one message. */
export const MOST_JUDGEMENTS = 100;
/**
 * How many events of an entity have yet to be taken by those on which it has raised them. Each may create an entity, and Temporal lets a
 * run start 2,000 workflows that go on. A run ends before that when what it has not sent is small.
 */
export const MOST_PENDING = 2_000;
/** The events that one action raises, in bytes. */
export const RAISED_BYTES = 4_096 * KB;

/** The line for people about one call, in characters: Temporal shows 400 bytes. */
export const SUMMARY_CHARACTERS = 100;
/** The longest message of an error or a rejection, in characters. */
export const LONGEST_MESSAGE = 2_000;
/** The longest code of an error, in characters. */
export const LONGEST_CODE = 100;
/** How much of a stack is kept beside its message, in characters. */
export const LONGEST_STACK = 8_000;
/** How much of its fields a line of a log tells, in characters. */
export const LOGGED_CHARACTERS = 32_000;
/** How large a log of a process of the stack grows before it is put aside, in bytes. One is kept beside it. */
export const LOG_FILE_BYTES = 16 * KB * KB;
