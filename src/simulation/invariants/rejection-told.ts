import { operationWorkflowId } from '../../protocol/names.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Invariant } from '../fact.js';

/** S3.6, S5.1: a rejection that nobody has asked about makes the operation failed, unless a later attempt has made it good. */
export function rejectionTold(): Invariant {
  /** Events that an action has raised and whose rejection nobody expects, by request id. */
  const unexpected = new Map<string, RaiseRequest>();
  /** Those of these events that were rejected, by operation. */
  const rejected = new Map<string, RaiseRequest[]>();
  const accepted = new Set<string>();
  return {
    name: 'a rejection that nobody expects is in the outcome of its operation',
    hear(fact) {
      switch (fact.kind) {
        case 'delivered': {
          if (fact.message.kind !== 'raise') return undefined;
          const { request } = fact.message;
          if (request.from && !request.mayBeRejected && request.awaited === undefined)
            unexpected.set(request.id, request);
          return undefined;
        }
        case 'started':
          accepted.add(firstId(fact.snapshot.engagements.at(-1)?.id ?? ''));
          return undefined;
        case 'told': {
          const { message, operation } = fact;
          if (message.kind !== 'ended' || !message.outcome.rejection) return undefined;
          const raised = unexpected.get(message.engagement);
          if (raised) rejected.set(operation, [...(rejected.get(operation) ?? []), raised]);
          return undefined;
        }
        case 'ended': {
          const { outcome, errors, rejection, id } = fact.result;
          const told = rejected.get(id) ?? [];
          // The same request, raised again after its entity was ended by hand, begins an operation of its own.
          rejected.delete(id);
          // The operation does not wait for what was lost.
          if (rejection || outcome === 'canceled' || errors.some(({ code }) => code === 'lost')) return undefined;
          const silent = told.find((each) => {
            const isTold = errors.some(({ engagement }) => firstId(engagement) === firstId(each.id));
            return !isTold && !accepted.has(firstId(each.id));
          });
          return (
            silent && `${operationWorkflowId(id)} is a ${outcome}, and '${silent.event}' (${silent.id}) was rejected`
          );
        }
        default:
          return undefined;
      }
    },
  };
}

/** The id of the first attempt to raise it. */
function firstId(id: string): string {
  return id.split('~', 1)[0]!;
}
