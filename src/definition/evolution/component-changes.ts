import { isSameSchema, refusals } from './acceptance.js';
import { safe, type Change } from './change.js';
import { COMPONENT_PERMISSIONS, type ComponentModel } from './component-model.js';
import { inWords, paired, same } from './context.js';
import { roleChanges } from './role-changes.js';

/** Changes of components: what is given to deploy them, and what of them runs. */
export function componentChanges(old: readonly ComponentModel[], next: readonly ComponentModel[]): readonly Change[] {
  const { gone, came, both } = paired(old, next);
  const place = (name: string) => `components.${name}`;
  return [
    ...gone.map(({ name }): Change => ({
      place: place(name),
      class: 'strands-entities',
      sentence: `The component '${name}' was removed. Deployments with it cannot continue.`,
      remedy: `Keep '${name}' until no deployment has it.`,
      covered: false,
    })),
    ...came.map(({ name }) => safe(place(name), `The component '${name}' is new.`)),
    ...both.flatMap(([one, other]): readonly Change[] => {
      const { name } = other;
      const at = place(name);
      const changes: Change[] = [];
      if (!isSameSchema(one.attributes, other.attributes)) {
        const refused = refusals(other.attributes, one.attributes);
        const why = inWords(refused, 'the value');
        if (refused.length === 0) changes.push(safe(at, `'${name}' accepts all earlier attributes.`));
        else {
          const remedy = 'Make new attributes optional, or add another component.';
          changes.push(
            {
              ...{ place: at, class: 'breaks-callers', covered: false, remedy },
              sentence: `'${name}' rejects attributes that it accepted before: ${why}.`,
            },
            {
              ...{ place: at, class: 'breaks-running-actions', covered: false, remedy },
              sentence: `Deployments of '${name}' that run may have attributes that it rejects: ${why}.`,
            },
          );
        }
      }
      const lost = one.handlers.filter((handler) => !other.handlers.includes(handler));
      if (lost.length > 0) {
        changes.push({
          place: at,
          class: 'breaks-running-actions',
          sentence: `'${name}' no longer has code for: ${lost.join(', ')}. Running deployments need it.`,
          remedy: 'Keep it, without effect, until no earlier deployment runs.',
          covered: false,
        });
      } else if (!same(one.handlers, other.handlers)) {
        changes.push({
          place: at,
          class: 'breaks-running-actions',
          sentence: `'${name}' has new code that running deployments do not have: ${other.handlers.filter((handler) => !one.handlers.includes(handler)).join(', ')}.`,
          remedy: 'Add a new component, unless no deployment of this one runs.',
          covered: false,
        });
      }
      if (!same(one.deploys, other.deploys)) {
        changes.push(safe(at, `The parts of '${name}' have changed: running deployments keep theirs.`));
      }
      return [...changes, ...roleChanges(at, COMPONENT_PERMISSIONS, one.roles, other.roles)];
    }),
  ];
}
