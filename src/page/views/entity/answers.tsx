import { useEffect } from 'preact/hooks';
import { shellWord } from '../../../definition/shell-word.js';
import { ActionButtons } from '../../actions/action-buttons.js';
import type { Action } from '../../actions/action-dialog.js';
import { pathOfEntity } from '../../actions/entity-actions.js';
import type { Schema } from '../../actions/schema.js';
import { useReading } from '../../api/reading.js';
import type { ServedType, WatchedEntity } from '../../api/shapes.js';
import { noteAsked } from '../../parts/asked.js';
import type { Call } from '../../parts/commands.js';
import { Later } from '../../parts/later.js';
import { Ago, At } from '../../parts/time.js';
import { ask, place } from '../../router.js';
import { rightsOn } from '../../session/session.js';

/** An answer that an entity awaits from outside, as the API lists it. */
interface Awaited {
  readonly id: string;
  readonly call?: string;
  readonly event?: string;
  readonly since: number;
  readonly until: number;
  readonly url?: string;
  readonly output?: Schema;
}

/** Answers may come without a new version of the entity. */
const EVERY_MS = 10_000;
/** The option of an address that opens the dialog of the answer. */
export const ANSWERING = 'answer';
/** The property of an output that says whether something was approved. */
const APPROVED = 'approved';

const WITHIN: Schema = {
  type: 'object',
  properties: {
    within: { type: 'string', title: 'within', description: 'How long to wait from now, like 2d or 12h.' },
  },
  required: ['within'],
};
const FAILURE: Schema = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'For programs, like refused.' },
    message: { type: 'string', description: 'The reason, for people.' },
  },
  required: ['code', 'message'],
};

/** The answers that an entity awaits from outside, with what an operator can do about each. A1, A2 */
export function AwaitedAnswers(props: {
  readonly type: ServedType;
  readonly entity: WatchedEntity;
  readonly tick: string;
}) {
  const { type, entity, tick } = props;
  const mayOperate = rightsOn(type.name)?.operate === true && !entity.stale;
  const path = mayOperate ? `${pathOfEntity(type, entity.key)}/pending-callbacks` : undefined;
  const items = useReading<{ readonly items: readonly Awaited[] }>(path, tick, EVERY_MS).value.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section class="card need ask" aria-labelledby="answers-title">
      <h2 id="answers-title">
        {items.length === 1 ? 'It waits for an answer' : `It waits for ${items.length} answers`}
      </h2>
      <ul class="lines">
        {items.map((awaited) => (
          <AwaitedLine
            key={awaited.id}
            {...{ type, entity, awaited }}
            opens={items.length === 1 && awaited.url !== undefined && place.value.options.has(ANSWERING)}
          />
        ))}
      </ul>
    </section>
  );
}

function AwaitedLine(props: {
  readonly type: ServedType;
  readonly entity: WatchedEntity;
  readonly awaited: Awaited;
  /** Tells whether its first dialog opens by itself. */
  readonly opens: boolean;
}) {
  const { type, entity, awaited, opens } = props;
  const actions = actionsOn(type, entity, awaited);
  // It opens once: not again when somebody comes back.
  useEffect(() => ask({ [ANSWERING]: undefined }), []);
  const what = awaited.call ?? awaited.event ?? awaited.id;
  return (
    <li>
      <span class="grow">
        <strong>{what}</strong>{' '}
        <span class="faint">
          asked <Ago at={awaited.since} />, waits until <At at={new Date(awaited.until).toISOString()} />
          {awaited.event === undefined
            ? '; then the call fails, and its action decides'
            : `; the answer raises ${awaited.event}`}
        </span>
      </span>
      <ActionButtons
        actions={actions}
        first={opens ? actions[0] : undefined}
        classOf={(_, index) => `small ${index === 0 ? 'primary' : ''}`}
        onTaken={({ title }, taken) => noteAsked(title, taken)}
      />
    </li>
  );
}

const loadQuestion = () => import('./question.js').then(({ Question }) => Question);

/** Approve and refuse where the output says whether something is approved; otherwise an answer, or a failure. */
function actionsOn(
  type: ServedType,
  entity: WatchedEntity,
  { id, call, event, url, output }: Awaited,
): readonly Action[] {
  const named = `${shellWord(entity.id)} ${shellWord(call ?? event ?? id)}`;
  const what = `${call ?? event} of ${entity.id}`;
  const within = 'output';
  const answer = (json: object, options: string): Call => ({
    ...{ method: 'POST', json, reeve: `reeve callbacks answer ${named} ${options}` },
    // The token is the last part of the address, which may be reached by another name from here.
    path: `/api/callbacks/${(url ?? '').slice((url ?? '').lastIndexOf('/') + 1)}`,
  });
  const give = (given: object) => answer({ output: given }, `--output ${shellWord(JSON.stringify(given))}`);
  const { [APPROVED]: approval, ...others } = output?.properties ?? {};
  const rest: Schema = {
    ...output,
    properties: others,
    required: (output?.required ?? []).filter((name) => name !== APPROVED),
  };
  const asked = call !== undefined && {
    reaches: <Later load={loadQuestion} props={{ type: type.name, entityKey: entity.key, call }} />,
  };
  const answers: readonly Action[] =
    url === undefined
      ? []
      : approval?.type === 'boolean'
        ? [
            {
              ...{ title: `Approve ${what}`, ...asked },
              schema: rest,
              within,
              button: 'Approve',
              call: (given) => give({ [APPROVED]: true, ...given }),
            },
            {
              ...{ title: `Refuse ${what}`, ...asked },
              schema: rest,
              within,
              button: 'Refuse',
              call: (given) => give({ [APPROVED]: false, ...given }),
            },
          ]
        : [
            {
              title: `Answer ${what}`,
              ...asked,
              ...(output && { schema: output }),
              within,
              button: 'Answer',
              call: give,
            },
            {
              ...{ title: `Answer ${what} with a failure`, schema: FAILURE, within: 'error', button: 'Fail', ...asked },
              call: (given) =>
                answer(
                  { error: given },
                  `--error ${shellWord(String(given['code'] ?? ''))} --message ${shellWord(String(given['message'] ?? ''))}`,
                ),
            },
          ];
  const path = pathOfEntity(type, entity.key);
  return [
    ...answers,
    {
      ...{ title: `Extend ${what}`, description: 'Its address stays the same.', schema: WITHIN, button: 'Extend' },
      call: (given) => ({
        ...{ method: 'POST', path: `${path}/extend-callback`, json: { callback: id, ...given } },
        reeve: `reeve callbacks extend ${named} --within ${shellWord(String(given['within'] ?? ''))}`,
      }),
    },
    {
      ...{
        title: `Revoke ${what}`,
        description: 'Its address is closed. The call fails with call_revoked.',
        button: 'Revoke',
        danger: true,
      },
      call: () => ({
        ...{ method: 'POST', path: `${path}/revoke-callback`, json: { callback: id } },
        reeve: `reeve callbacks revoke ${named}`,
      }),
    },
  ];
}
