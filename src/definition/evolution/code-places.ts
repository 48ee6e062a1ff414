import type { Model } from './model.js';
import { CODE } from './schema-code.js';

/** Where a model has code, which is compared by its text: `Order.properties`, `resources.mail.send`. */
export function codePlaces({ entities, resources, components, distributed }: Model): readonly string[] {
  const named = <T extends { readonly name: string }>(place: string, list: readonly T[]) =>
    list.filter(hasCode).map(({ name }) => `${place}.${name}`);
  return [
    ...entities.flatMap((entity) => [
      ...(['key', 'construct', 'subordinates'] as const)
        .filter((member) => hasCode(entity[member]))
        .map((member) => `${entity.name}.${member}`),
      ...(hasCode([entity.properties, entity.accepts]) ? [`${entity.name}.properties`] : []),
      ...named(`${entity.name}.states`, entity.states),
      ...named(`${entity.name}.events`, entity.events),
      ...(entity.migrations.length > 0 ? [`${entity.name}.migrations`] : []),
    ]),
    ...resources.flatMap(({ name, calls }) => named(`resources.${name}`, calls)),
    ...named('components', components),
    ...distributed
      .filter((type) => type.object !== undefined || hasCode(type))
      .map(({ name }) => `distributed.${name}`),
  ];
}

/** Tells whether a part of a model has code that JSON Schema cannot say. */
export function hasCode(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').includes(`"${CODE}"`);
}
