import type { DisplayNames } from '../definition/display-name.js';
import { parseEntityId } from '../protocol/names.js';
import type { OperationRepresentation } from '../service/operation-representation.js';
import type { Api } from './api/api.js';
import { describedTypes } from './api/described-types.js';
import type { AllowedEvent, EntityRepresentation } from './api/entity.js';

/** Translates between names and display names of states and events. JSON output and requests to the service use the names. */
export class NamesForPeople {
  readonly #types: ReadonlyMap<string, DisplayNames>;

  constructor(types: ReadonlyMap<string, DisplayNames>) {
    this.#types = types;
  }

  state(type: string, name: string): string {
    return read(this.#types.get(type)?.states, name);
  }

  event(type: string, name: string): string {
    return read(this.#types.get(type)?.events, name);
  }

  /**
   * The names of the states that people call so, of one type or of all: those with this display name, or else the one with this
   * name.
   */
  statesCalled(called: string, type?: string): readonly string[] {
    const types = [...this.#types].filter(([name]) => type === undefined || name === type);
    const found = types.flatMap(([, { states }]) => namesOf(states, called));
    return found.length > 0 ? [...new Set(found)] : [called];
  }

  eventCalled(type: string, called: string): string {
    return namesOf(this.#types.get(type)?.events ?? {}, called)[0] ?? called;
  }

  entity(entity: EntityRepresentation): EntityRepresentation {
    const { type, state, waiting, successors } = entity;
    return {
      ...entity,
      state: this.state(type, state),
      waiting: waiting.map((each) => ({ ...each, event: this.event(type, each.event) })),
      successors: successors.map((each) => ({ ...each, state: each.state && this.stateOf(each.entity, each.state) })),
    };
  }

  allowedEvents(type: string, events: readonly AllowedEvent[]): readonly AllowedEvent[] {
    return events.map((each) => ({ ...each, event: this.event(type, each.event) }));
  }

  operation(operation: OperationRepresentation): OperationRepresentation {
    const { participants, errors } = operation;
    return {
      ...operation,
      participants: participants.map((each) => ({ ...each, state: this.stateOf(each.entity, each.state) })),
      errors: errors.map((each) => ({ ...each, event: this.eventOf(each.entity, each.event) })),
    };
  }

  /** The display name of a state of an entity, which is named by its id: `Payment/p1`. */
  stateOf(entity: string, name: string): string {
    return this.state(parseEntityId(entity)?.type ?? '', name);
  }

  eventOf(entity: string, name: string): string {
    return this.event(parseEntityId(entity)?.type ?? '', name);
  }
}

/** The names as the service declares them. */
export async function namesForPeople(api: Api): Promise<NamesForPeople> {
  const types = await describedTypes(api);
  return new NamesForPeople(new Map([...types].map(([name, { displayNames }]) => [name, displayNames])));
}

type Names = Readonly<Record<string, string>>;

function read(names: Names | undefined, name: string): string {
  return names && Object.hasOwn(names, name) ? names[name]! : name;
}

function namesOf(names: Names, called: string): readonly string[] {
  return Object.entries(names).flatMap(([name, displayed]) => (displayed === called ? [name] : []));
}
