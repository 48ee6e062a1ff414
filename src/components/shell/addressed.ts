import type { DeploymentMessage } from '../../protocol/deployment.js';
import { partsOfReference } from '../../protocol/names.js';
import type { TreeMessage } from './tree-driver.js';

/** Returns what a tree tells another one, as a message to the workflow of that. */
export function addressed(message: TreeMessage): { readonly run: string; readonly said: DeploymentMessage } {
  if (message.kind === 'launched' || message.kind === 'launcher') {
    const { run, ...said } = message;
    return { run, said };
  }
  const { run, path } = partsOfReference(targetOf(message));
  return { run, said: saidTo(path, message) };
}

/** A message to a component of another tree. */
type ComponentMessage = Exclude<TreeMessage, { kind: 'launched' | 'launcher' }>;

function targetOf(message: ComponentMessage): string {
  switch (message.kind) {
    case 'send':
      return message.to;
    case 'register':
      return message.at;
    case 'terminate':
    case 'set':
      return message.path;
  }
}

function saidTo(path: string, message: ComponentMessage): DeploymentMessage {
  switch (message.kind) {
    case 'send':
      return { kind: 'event', path, event: message.event, passed: [...message.passed] };
    case 'register':
      return { kind: 'register', path, listener: message.listener };
    case 'terminate':
      return { kind: 'terminate', path, end: message.end };
    case 'set': {
      const { name, value } = message;
      return { kind: 'set', path, name, ...(value !== undefined && { value: value as never }) };
    }
  }
}
