import type { AnyEntity } from '../../definition/entity.js';
import type { Judgement } from '../../protocol/report.js';
import type { Look } from '../../protocol/successor-messages.js';
import { sameEntity } from '../../protocol/names.js';
import type { KeptWatcher, Snapshot } from '../../protocol/snapshot.js';
import { judgementId } from '../engagements/judgement-id.js';
import { isKnown } from '../ledger/ledger.js';
import { outcomeOf, rejectionJudgementId } from '../engagements/settle.js';
import { isAtRest, type Effect } from '../rules/step.js';

/**
 * The answer to an entity that looks after this one. There is none while its event is under way: that the look has arrived says
 * enough. It gets a fresh report when it has missed one, or a rejection, or hears that another entity has the key now. S4.4
 */
export function answerLook(entity: AnyEntity, snapshot: Snapshot, look: Look): readonly Effect[] {
  const { from, request } = look;
  const self = { type: snapshot.type, key: snapshot.key, life: snapshot.life };
  const to = { type: from.type, key: from.key };
  const entry = entryOf(snapshot, request);
  if (!isOurs(snapshot, look)) {
    return [{ kind: 'send', to, message: { kind: 'stranger', from: self, toLife: from.life, request } }];
  }
  const open = isOpen(snapshot, request);
  const missedOne = look.version === undefined || snapshot.version > look.version;
  const ended = entry?.outcome;
  const rejected = ended?.rejection !== undefined;
  if (open || !(rejected || (missedOne && isAtRest(entity, snapshot)))) return [];
  // The operation may still wait for this watcher to judge the report that was lost. One that was heard is judged, and its
  // operation may have ended since.
  const known = look.life === snapshot.life ? look.version : undefined;
  const heard = !rejected && !!ended && known !== undefined && known >= ended.version;
  const judgement: Judgement | undefined =
    from.judges && entry && ended && !ended.interrupted && !heard
      ? {
          id: rejected ? rejectionJudgementId(snapshot, request) : judgementId(snapshot, ended.version, from),
          operations: [entry.operation],
        }
      : undefined;
  const outcome = rejected || ended?.version === snapshot.version ? ended : outcomeOf(entity, snapshot);
  const restsForOthers = outcome.waiting && entry && !snapshot.awaiting.includes(entry.operation);
  return [
    {
      kind: 'send',
      to,
      message: {
        kind: 'report',
        from: self,
        toLife: from.life,
        version: snapshot.version,
        outcome,
        ended: [request],
        ...(restsForOthers && { restsForOthers }),
        ...(judgement && { judgement }),
      },
    },
  ];
}

/**
 * Makes an entity that looks a watcher again: it still waits for this one, and is told where it settles next. One whose event was
 * rejected does not: its look has only overtaken the rejection. watchers.4
 */
export function watchAgain(snapshot: Snapshot, look: Look): Snapshot {
  const { watchers, operation } = snapshot;
  const { from, request } = look;
  if (entryOf(snapshot, request)?.outcome?.rejection) return snapshot;
  const known = watchers.find((watcher) => sameEntity(watcher, from));
  if ((known && !known.onlyEnd) || !isOurs(snapshot, look)) return snapshot;
  const again: KeptWatcher = { operation: operation?.id ?? '', ...(known?.creator && { creator: true }), ...from };
  return { ...snapshot, watchers: [...watchers.filter((watcher) => watcher !== known), again] };
}

/** Tells whether a look means this entity, and not an earlier one with the same key. */
function isOurs(snapshot: Snapshot, { request, life }: Look): boolean {
  if (life === snapshot.life || isOpen(snapshot, request)) return true;
  // If an earlier life knew the request, the look means that life.
  return entryOf(snapshot, request)?.life === undefined && isKnown(snapshot.ledger, request);
}

function entryOf({ ledger }: Snapshot, request: string) {
  return ledger.recent.find(({ id }) => id === request);
}

function isOpen({ engagements, waiting }: Snapshot, request: string): boolean {
  return [...engagements, ...waiting].some(({ id }) => id === request);
}
