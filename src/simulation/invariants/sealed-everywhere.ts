import type { RaiseRequest } from '../../protocol/request.js';
import { entityId } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/**
 * S3.6: of what one commit raises on reserved entities, the first event on each is admitted. It is known before the commit
 * that it will be, so none is rejected while another takes effect.
 */
export function sealedEverywhere(): Invariant {
  /** The first events on reserved entities: by entity, life and request id, who has raised it. */
  const first = new Map<string, { readonly event: string; readonly by: string }>();
  /** Commits of which the first event has come to an entity: later ones need not be admitted. */
  const come = new Set<string>();
  return {
    name: 'what a commit raises on reserved entities is admitted by all of them',
    hear(fact) {
      switch (fact.kind) {
        case 'delivered': {
          if (fact.message.kind !== 'raise') return undefined;
          const { request } = fact.message;
          const { fence, from, awaited } = request;
          if (!fence || !from || awaited !== undefined || fence.life !== fact.life) return undefined;
          const commit = `${fact.life} ${fence.fence} ${commitOf(request)}`;
          if (!come.has(commit)) first.set(`${fact.life} ${request.id}`, { event: request.event, by: entityId(from) });
          come.add(commit);
          return undefined;
        }
        case 'told': {
          if (fact.message.kind !== 'ended' || !fact.message.outcome.rejection) return undefined;
          const raised = first.get(`${fact.by.life} ${fact.message.engagement}`);
          const { code } = fact.message.outcome.rejection;
          return (
            raised && `${fact.by.id} rejects '${raised.event}' (${code}), which ${raised.by} has raised on it reserved`
          );
        }
        case 'terminated':
          // No promise is kept for an owner that an operator has ended.
          for (const [name, { by }] of first) if (by === fact.id) first.delete(name);
          return undefined;
        default:
          return undefined;
      }
    },
  };
}

/** Gives what the request ids of one action in one entry into its state have in common. */
function commitOf({ id }: RaiseRequest): string {
  return id.split('/').slice(0, -2).join('/');
}
