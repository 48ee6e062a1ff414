import { requestOf } from '../protocol/callback-request.js';
import { repeatedAnswer } from '../kernel/index.js';
import type { CallbackAnswer, CallbackQuestion } from '../protocol/callback.js';
import type { Answer } from '../protocol/answer.js';
import type { RaiseRequest } from '../protocol/request.js';
import { entityId, type EntityRef } from '../protocol/names.js';
import { plainRequest } from '../protocol/plain-request.js';
import type { BatchAnswer } from './instance.js';
import type { Surroundings } from './surroundings.js';
import type { Workflow } from './workflow.js';

/** After how many milliseconds a client asks the next run. */
const NEXT_RUN_AFTER_MS = 20;

/** A batch of events that someone outside has raised, and the answers once they have come. */
export interface Ticket {
  readonly id: number;
  readonly to: EntityRef;
  readonly requests: readonly RaiseRequest[];
  answers?: readonly Answer[];
}

/** The events that people have raised from outside, until they are answered. */
export class Tickets {
  readonly #world: Surroundings;
  readonly #tickets = new Map<number, Ticket>();

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** Puts a batch of events on its way to an entity, as a client does. */
  submit(to: EntityRef, requests: readonly RaiseRequest[], at = this.#world.now): Ticket {
    const ticket: Ticket = { id: this.#tickets.size + 1, to, requests };
    this.#tickets.set(ticket.id, ticket);
    this.#bring(ticket, at);
    return ticket;
  }

  /**
   * Puts an answer from outside on its way. A1
   * @throws Rejected `invalid_parameters` where it is no JSON
   */
  submitAnswer(question: CallbackQuestion, given: CallbackAnswer, at = this.#world.now): Ticket {
    const { type, key } = question.of;
    const to = { type, key };
    return this.submit(to, [plainRequest(to, requestOf(question, given, at))], at);
  }

  #bring(ticket: Ticket, at: number): void {
    const { id, to, requests } = ticket;
    const what = `${requests.map(({ event }) => event).join(', ')} to ${entityId(to)}`;
    const perform = () => {
      const workflow = this.#world.running(entityId(to));
      if (!workflow) {
        const last = this.#world.lastLife(entityId(to));
        const { shelf } = this.#world;
        const life = this.#world.workflow(entityId(to))?.life ?? '';
        const { requests: known } = shelf.recall(
          { ...to, life },
          requests.map((request) => request.id),
        );
        const pastOf = (request: RaiseRequest) => known.find((past) => past.id === request.id);
        ticket.answers = requests.map(
          (request) => (last && repeatedAnswer(last, request, pastOf(request))) ?? absent(to, request.event),
        );
        return;
      }
      workflow.open.add(id);
      workflow.inbox.push({ kind: 'raise', ticket: id, requests: JSON.stringify(requests) });
    };
    this.#world.deliveries.add({ at, what, perform });
  }

  /** Asks again, with the same request ids, when the run has ended without an answer. */
  bringAgain(workflow: Workflow): void {
    workflow.inbox = workflow.inbox.filter(({ kind }) => kind !== 'raise');
    for (const id of workflow.open) this.#bring(this.#tickets.get(id)!, this.#world.now);
    workflow.open.clear();
  }

  answer(workflow: Workflow, { ticket: id, answers, refused }: BatchAnswer): void {
    workflow.open.delete(id);
    const ticket = this.#tickets.get(id)!;
    if (refused === 'closing') {
      this.#bring(ticket, this.#world.now + NEXT_RUN_AFTER_MS);
      return;
    }
    ticket.answers = answers;
    for (const [index, answer] of answers.entries()) {
      const request = ticket.requests[index]!;
      this.#world.trace.add(this.#world.now, workflow.id, () => `answers '${request.event}': ${answer.status}`);
      this.#world.witness.tell({ kind: 'answered', to: ticket.to, life: workflow.life, request, answer });
    }
  }
}

function absent(to: EntityRef, event: string): Answer {
  const message = `${entityId(to)} does not exist. Create it first, or check the key.`;
  return { status: 'rejected', rejection: { code: 'absent', message, entity: entityId(to), event } };
}
