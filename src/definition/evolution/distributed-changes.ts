import { isSameSchema, refusals } from './acceptance.js';
import { safe, type Change } from './change.js';
import { inWords, isSameCode, paired, same } from './context.js';
import { OPERATION_PERMISSIONS, type DistributedModel } from './distributed-model.js';
import { roleChanges } from './role-changes.js';

/** Changes of operations over partitions: what is given to start them, and what of them runs. */
export function distributedChanges(
  old: readonly DistributedModel[],
  next: readonly DistributedModel[],
): readonly Change[] {
  const { gone, came, both } = paired(old, next);
  const place = (name: string) => `distributed.${name}`;
  return [
    ...gone.map(({ name }): Change => ({
      place: place(name),
      class: 'strands-entities',
      sentence: `The type '${name}' was removed. The jobs of running operations cannot be executed.`,
      remedy: `Keep '${name}' until none of its operations runs.`,
      covered: false,
    })),
    ...came.map(({ name }) => safe(place(name), `The type '${name}' is new.`)),
    ...both.flatMap(([one, other]): readonly Change[] => changesOf(place(other.name), one, other)),
  ];
}

function changesOf(at: string, one: DistributedModel, other: DistributedModel): readonly Change[] {
  const { name } = other;
  const changes: Change[] = [];
  const running = (sentence: string): Change => ({
    place: at,
    class: 'breaks-running-actions',
    sentence,
    remedy: 'Add a new type beside it, and remove this one when none of its operations runs any more.',
    covered: false,
  });
  const refused = isSameSchema(one.argument, other.argument) ? [] : refusals(other.argument, one.argument);
  if (refused.length > 0) {
    const why = inWords(refused, 'the argument');
    changes.push(
      {
        place: at,
        class: 'breaks-callers',
        sentence: `'${name}' rejects arguments that it accepted before: ${why}.`,
        remedy: 'Make new members optional, or add another type.',
        covered: false,
      },
      running(`Operations of '${name}' that run may have an argument that it refuses: ${why}.`),
    );
  }
  const stale = isSameSchema(one.progress, other.progress) ? [] : refusals(other.progress.accepts, one.progress.keeps);
  if (stale.length > 0) changes.push(running(`Progress that is kept may not fit: ${inWords(stale, 'progress')}.`));
  if (one.progress.kept !== other.progress.kept) {
    changes.push(
      running(`Progress is kept '${other.progress.kept}' now: jobs that run have kept theirs '${one.progress.kept}'.`),
    );
  }
  if (!isSameCode(one.object, other.object)) {
    changes.push(
      running(
        `The code that decides which instances of '${name}' may run in parallel has changed, and cannot be compared.`,
      ),
    );
  }
  if (!same(one.on, other.on)) changes.push(running(`Jobs of '${name}' run at other places.`));
  if (one.canFail !== other.canFail) {
    changes.push(running(`Jobs of '${name}' ${other.canFail ? 'may fail now' : 'are retried forever now'}.`));
  }
  const apart = one.compatibleWith.filter((type) => !other.compatibleWith.includes(type));
  if (apart.length > 0) {
    changes.push({
      place: at,
      class: 'breaks-callers',
      sentence: `'${name}' no longer runs beside these: ${apart.join(', ')}.`,
      remedy: 'Keep them while callers start both at once.',
      covered: false,
    });
  } else if (!same(one.compatibleWith, other.compatibleWith)) {
    changes.push(safe(at, `'${name}' runs beside more types.`));
  }
  if (!same(one.manners, other.manners))
    changes.push(safe(at, `The settings for jobs of '${name}' change for new operations.`));
  changes.push(...roleChanges(at, OPERATION_PERMISSIONS, one.roles, other.roles));
  if (changes.length > 0 || same(one, other)) return changes;
  return [safe(at, `'${name}' still accepts all arguments, and reads stored progress.`)];
}
