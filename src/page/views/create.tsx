import { useSignal } from '@preact/signals';
import { ActionDialog } from '../actions/action-dialog.js';
import { createCall, schemaOfEvent } from '../actions/entity-actions.js';
import type { Schema } from '../actions/schema.js';
import { waysToCreate, type WayToCreate } from '../actions/ways-to-create.js';
import type { ServedType } from '../api/shapes.js';
import { noteAsked } from '../parts/asked.js';
import { eventInWords } from '../parts/badge.js';
import { Notice } from '../parts/notice.js';
import { go, linkTo, linkToEntity } from '../router.js';
import { rightsOn, typeOf } from '../session/session.js';
import { EntitiesView } from './entities.js';

/** Lets an entity come to be: a form above the list of its type. */
export function CreateView({ type: name }: { readonly type: string }) {
  const type = typeOf(name);
  const rights = rightsOn(name);
  const ways = type && rights ? waysToCreate(type, rights) : [];
  const way = useSignal(0);
  if (!type || ways.length === 0) {
    return (
      <Notice instead tone="bad" title={`You may not create a ${name}.`}>
        It may not exist, or it may require another role.
      </Notice>
    );
  }
  const event = ways[way.value];
  const back = () => go(linkTo(['entities', name]), { replacing: true });
  return (
    <>
      <EntitiesView type={name} />
      <ActionDialog
        key={event ?? ''}
        action={{
          title: `New ${name}`,
          ...(type.description !== undefined && { description: type.description }),
          schema: schemaOf(type, event),
          within: undefined,
          ...(ways.length > 1 && { reaches: <Ways type={type} ways={ways} way={way} /> }),
          button: event === undefined ? 'Create' : eventInWords(name, event),
          call: (given) => createCall(type, given, event),
        }}
        onClose={back}
        onTaken={({ operation, on }) => {
          noteAsked(`${event ?? 'create'} ${on ?? name}`, { operation, on });
          if (on === undefined) back();
          else go(linkToEntity(on), { replacing: true });
        }}
      />
    </>
  );
}

function Ways({ type, ways, way }: { type: ServedType; ways: readonly WayToCreate[]; way: { value: number } }) {
  return (
    <div class="periods" role="group" aria-label="Creation">
      {ways.map((each, index) => (
        <button
          key={each ?? ''}
          type="button"
          class="small"
          aria-pressed={index === way.value}
          onClick={() => (way.value = index)}
        >
          {each === undefined ? 'Without an event' : eventInWords(type.name, each)}
        </button>
      ))}
    </div>
  );
}

/** Describes what has to be given: the key, what the event takes, and with what it begins. */
function schemaOf(type: ServedType, event: WayToCreate): Schema {
  const params = event === undefined ? undefined : schemaOfEvent(type, event);
  // The schemas that the declarations have are JSON Schema.
  const key = (type.key as Schema | undefined) ?? {
    type: 'string',
    description: 'It identifies the entity, and never changes.',
  };
  const construct = type.construct as Schema | undefined;
  return {
    type: 'object',
    properties: {
      key,
      ...(params?.properties && { parameters: params }),
      ...(construct?.properties && { construct }),
    },
    required: [
      'key',
      ...(params?.required?.length ? ['parameters'] : []),
      ...(construct?.required?.length ? ['construct'] : []),
    ],
  };
}
