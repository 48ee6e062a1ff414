import { useSignal, type Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { filledAtFirst, type Filled, type Schema } from './schema.js';

/** A form for what a schema describes. */
export interface FormOf {
  /** The schema, or the one of its alternatives that was chosen. */
  readonly schema: Schema;
  readonly filled: Signal<Filled>;
  /** Where one of several alternatives is chosen; nothing where there is one only. */
  readonly choice: VNode | undefined;
}

/** Begins a form. Where a schema has alternatives, such as a block of addresses or a first and a last one, one of them is chosen. */
export function useForm(schema: Schema): FormOf {
  const alternatives = alternativesOf(schema);
  const chosen = useSignal(0);
  const filled = useSignal<Filled>(filledAtFirst(alternatives[0]!));
  const mine = alternatives[chosen.value] ?? alternatives[0]!;
  const choose = (index: number) => {
    chosen.value = index;
    // A field that has the same name stays as it was filled in.
    filled.value = { ...filledAtFirst(alternatives[index]!), ...filled.peek() };
  };
  const choice = alternatives.length > 1 && (
    <div class="periods" role="group" aria-label="Input">
      {alternatives.map((each, index) => (
        <button
          key={index}
          type="button"
          class="small"
          aria-pressed={index === chosen.value}
          onClick={() => choose(index)}
        >
          {each.title ?? Object.keys(each.properties ?? {}).join(', ')}
        </button>
      ))}
    </div>
  );
  return { schema: mine, filled, choice: choice || undefined };
}

function alternativesOf(schema: Schema): readonly Schema[] {
  if (schema.properties) return [schema];
  const several = (schema.anyOf ?? schema.oneOf ?? []).filter(({ properties }) => properties !== undefined);
  return several.length > 0 ? several : [schema];
}
