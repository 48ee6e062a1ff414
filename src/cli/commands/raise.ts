import type { EventOf, AnyEntity } from '../../definition/entity.js';
import type { Taken } from '../../client/client.js';
import { entityId, operationWorkflowId } from '../../protocol/names.js';
import { parseConstruct, parseParams, parseTarget } from '../arguments.js';
import { EXIT } from '../exit.js';
import { formatResult } from '../output.js';
import { showProgress } from '../progress-view.js';
import { openSession, type Session } from '../session.js';

/** Options of the commands that raise an event. */
export interface RaiseCommandOptions {
  readonly params?: string;
  readonly requestId?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** Options of `reeve create`. */
export interface CreateCommandOptions extends RaiseCommandOptions {
  /** `false`: without an event. */
  readonly event: string | false;
  readonly construct?: string;
}

/** `reeve raise LogicalServer/orders delete` */
export async function raise(target: string, event: string, options: RaiseCommandOptions): Promise<number> {
  const ref = parseTarget(target);
  return take(options, ({ reeve }, params) =>
    reeve.raise(reeve.entity(ref.type), ref.key, event as EventOf<AnyEntity>, params as undefined, requestOf(options)),
  );
}

/** `reeve create LogicalServer orders` */
export async function create(type: string, key: string, options: CreateCommandOptions): Promise<number> {
  const { event } = options;
  const construct = parseConstruct(options.construct);
  return take(options, ({ reeve }, params) => {
    const entity = reeve.entity(type);
    if (event === false) return reeve.construct(entity, key, construct ?? {}, requestOf(options));
    return reeve.create(entity, key, event as EventOf<AnyEntity>, params as undefined, {
      ...requestOf(options),
      ...(construct && { construct }),
    });
  });
}

async function take(
  options: RaiseCommandOptions,
  send: (session: Session, params: unknown) => Promise<Taken>,
): Promise<number> {
  const params = parseParams(options.params);
  const session = await openSession();
  try {
    const taken = await send(session, params);
    if (!options.wait) {
      console.log(
        options.json ? JSON.stringify({ ...taken.answer, requestId: taken.requestId }) : formatTaken(taken, session),
      );
      return EXIT.done;
    }
    const result = options.json
      ? await session.reeve.operations.result(taken)
      : await showProgress(session.reeve, taken);
    console.log(options.json ? JSON.stringify(result, undefined, 2) : formatResult(result, session.link));
    if (result.rejection) return EXIT.rejected;
    return result.outcome === 'success' ? EXIT.done : EXIT.failed;
  } finally {
    await session.close();
  }
}

function formatTaken({ entity, event, answer }: Taken, { link }: Session): string {
  const name = `${event} ${entityId(entity)}`;
  if (answer.status === 'waiting') return `${name}: waits behind ${answer.behind}\n  ${answer.operation}`;
  if (answer.outcome) return `${name}: done, ${answer.outcome.state}`;
  return `${name}: accepted\n  operation ${answer.operation}\n  ${link(operationWorkflowId(answer.operation))}`;
}

function requestOf({ requestId }: RaiseCommandOptions) {
  return requestId === undefined ? {} : { requestId };
}
