import type { DeploymentMessage } from './deployment.js';
import type { EntityMessage } from './entity-message.js';
import type { OperationMessage } from './operation-message.js';
import { RAISE_UPDATE } from './names.js';

/*
 * The names under which messages travel, as signals and updates. People read them in the timelines of Temporal's UI. Programs
 * use only the content of a message, so an unknown name does no harm.
 */

/** Tells whether a name is that of a message. Names of events have no space, so they are never taken for messages. */
export function isMessageName(name: string): boolean {
  return name.includes(' ');
}

/** How signals are named that cannot be taken as they came, before their own name. S1.5a */
const REFUSED = {
  'reserved ': 'Names that begin with __temporal_ belong to Temporal. Choose another one.',
  'unreadable ': 'Its arguments cannot be read. Send JSON, encrypted if the workers have payload keys.',
} as const;

/** The name under which a signal comes that cannot be taken. */
export function refusedSignal(why: 'reserved' | 'unreadable', name: string): string {
  return `${why} ${name}`;
}

/** A signal that cannot be taken: its own name, and why it is dropped; nothing for any other. */
export function refusalOfSignal(name: string): { readonly signal: string; readonly problem: string } | undefined {
  const found = Object.entries(REFUSED).find(([prefix]) => name.startsWith(prefix));
  return found && { signal: name.slice(found[0].length), problem: found[1] };
}

/** The name of a message to an entity: `raise create`, `report Ready`. */
export function entityMessageName(message: EntityMessage): string {
  switch (message.kind) {
    case 'raise':
      return `raise ${message.request.event}`;
    case 'report':
      return `report ${message.outcome.rejection ? 'rejection' : message.outcome.state}`;
    case 'awaited':
      return `awaited ${message.outcome.state}`;
    case 'seal':
      return `seal ${message.first.event}`;
    case 'sealed':
      return message.rejection ? 'refuse seal' : 'sealed event';
    case 'look':
      return 'look after successor';
    case 'owner-look':
      return 'look after owner';
    case 'stranger':
      return 'know nothing';
    case 'lost':
      return 'lost successor';
    case 'accepted':
      return 'accepted event';
    case 'withdraw':
      return 'withdraw event';
    case 'read':
      return 'read entity';
    case 'view':
      return message.granted ? 'grant reservation' : 'show entity';
    case 'reserve':
      return 'reserve entity';
    case 'lease':
      return 'begin lease';
    case 'release':
      return 'release reservation';
    case 'unseal':
      return 'release seal';
    case 'probe':
      return 'probe circle';
    case 'cancel':
      return 'cancel operation';
    case 'inquiry':
      return 'inquire operation';
    case 'deployment':
      return message.end ? 'ended deployment' : 'deployment is up';
  }
}

/** The name of a message to an operation: `ended create`. */
export function operationMessageName(message: OperationMessage): string {
  switch (message.kind) {
    case 'ended':
      return `ended ${message.event}`;
    case 'moved':
      return `moved ${message.outcome.state}`;
    case 'judged':
      return 'judged report';
    case 'deferred':
      return 'judge report later';
    case 'followed':
      return 'followed elsewhere';
    case 'await':
      return 'await event';
    case 'interrupted':
      return 'interrupted participant';
    case 'unknown':
      return 'know nothing';
    case 'reserved':
      return 'reserved entity';
    case 'cancel':
      return 'cancel operation';
  }
}

/** The update that raises a batch of events: `raise create`, or `raise events` where the events differ. */
export function raiseUpdateName(events: readonly string[]): string {
  const [first] = events;
  const same = first !== undefined && events.every((event) => event === first);
  return `${RAISE_UPDATE} ${same ? first : 'events'}`;
}

/** Tells whether an update raises a batch of events. */
export function isRaiseUpdate(name: string): boolean {
  return name.startsWith(`${RAISE_UPDATE} `);
}

/** The name of a message to a deployment: `terminate component`. */
export function deploymentMessageName({ kind }: DeploymentMessage): string {
  switch (kind) {
    case 'terminate':
      return 'terminate component';
    case 'event':
      return 'event for component';
    case 'register':
      return 'register for events';
    case 'set':
      return 'set attribute';
    case 'ping':
      return 'ping components';
    case 'launched':
      return 'deployment launched';
    case 'owner':
    case 'launcher':
      return 'look after deployment';
  }
}
