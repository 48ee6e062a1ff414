import { colours as pc } from '../../colours.js';
import type { AllowedEvent } from '../../api/entity.js';
import type { NamesForPeople } from '../../names-for-people.js';
import type { Reach, ReachedType } from './reach.js';

/** The entities of another type that an event reaches, with those that link to the entity. */
export interface ToldType extends Omit<ReachedType, 'linking'> {
  /** The entities that link to it and are not among its successors; nothing where the store could not be asked. */
  readonly linking: readonly string[] | null;
  /** How many more link to it. */
  readonly more: number;
}

/** How far an event on an entity reaches, and whether it would be accepted. */
export interface ToldReach extends Omit<Reach, 'types'>, Pick<AllowedEvent, 'allowed' | 'behind' | 'rejection'> {
  /** `LogicalServer/orders` */
  readonly entity: string;
  readonly event: string;
  readonly state: string;
  readonly types: readonly ToldType[];
}

/** How far an event reaches, for people. S6.3 */
export function reachLines(reach: ToldReach, names: NamesForPeople): readonly string[] {
  const { entity, event, state, allowed, behind, rejection, ends, types, undeclared, others } = reach;
  const title = `${pc.bold(entity)}  ${names.eventOf(entity, event)}, while it is ${names.stateOf(entity, state)}`;
  const answer = allowed
    ? [`  would be accepted${behind === undefined ? '' : `, and waits behind ${behind}`}`]
    : [
        pc.red(
          `  would be rejected: ${rejection?.code ?? 'not_valid'}: ${rejection?.message ?? 'It is not valid now.'}`,
        ),
      ];
  return [
    title,
    ...answer,
    ...(ends ? [pc.red(`  ends ${entity}`)] : []),
    ...(types.length > 0 ? ['', 'It may raise events on others:'] : []),
    ...types.flatMap((each) => typeLines(each, names)),
    ...(undeclared.length > 0
      ? ['', `Its declaration does not say which events ${undeclared.join(' and ')} may raise on others.`]
      : []),
    ...(others.length > 0 ? ['It may also affect its successors:', ...others.map((id) => `  ${id}`)] : []),
    ...(allowed && types.length === 0 && undeclared.length === 0 ? ['  raises nothing on others'] : []),
  ];
}

function typeLines({ type, events, successors, linking, more }: ToldType, names: NamesForPeople): readonly string[] {
  return [
    ...events.map(({ event, ends }) => `  ${type}: ${names.event(type, event)}${ends ? pc.red('  ends it') : ''}`),
    ...successors.map((id) => `    ${id}`),
    ...(linking ?? []).map((id) => `    ${id}  links to it`),
    ...(linking === null ? [pc.yellow('    the store could not be asked for those that link to it')] : []),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}
