import { colours as pc } from '../../colours.js';
import type { AllowedEvent } from '../../api/entity.js';
import type { NamesForPeople } from '../../names-for-people.js';
import type { FarReach, ToldStep, ToldType } from './follow-reach.js';

/** How far an event on an entity reaches, and whether it would be accepted. */
export interface ToldReach extends FarReach, Pick<AllowedEvent, 'allowed' | 'behind' | 'rejection'> {
  /** `LogicalServer/orders` */
  readonly entity: string;
  readonly event: string;
  readonly state: string;
}

/** How far an event reaches, for people. S6.3 */
export function reachLines(reach: ToldReach, names: NamesForPeople): readonly string[] {
  const { entity, event, state, allowed, behind, rejection, ends, types, undeclared, others, then, further } = reach;
  const { left, answers, distributed, partly } = reach;
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
    ...then.flatMap((step) => stepLines(step, names)),
    ...(further ? ['', pc.yellow('More may be ended in turn: this is how far it was followed.')] : []),
    ...(undeclared.length > 0
      ? ['', `Its declaration does not say which events ${undeclared.join(' and ')} may raise on others.`]
      : []),
    ...(others.length > 0 ? ['It may also affect its successors:', ...others.map((id) => `  ${id}`)] : []),
    ...(left.length > 0 ? ['', 'These link to what is ended, get no event, and stay:'] : []),
    ...left.flatMap((each) => [...each.entities.map((id) => `  ${id}`), ...moreLines(each.more)]),
    ...(answers.length > 0 ? ['', 'These answers from outside are awaited by what is ended:'] : []),
    ...answers.map((each) => `  ${each.entity}: ${each.of}`),
    ...(distributed.length > 0 ? ['', 'These operations over partitions run there:'] : []),
    ...distributed.map((name) => `  ${name}`),
    ...(partly ? ['', pc.yellow('Not all that depends on what is ended could be asked for.')] : []),
    ...(allowed && types.length === 0 && undeclared.length === 0 ? ['  raises nothing on others'] : []),
  ];
}

function stepLines({ entity, event, types, undeclared }: ToldStep, names: NamesForPeople): readonly string[] {
  return [
    ...['', `In turn, ${entity} (${names.eventOf(entity, event)}) may raise events on others:`],
    ...types.flatMap((each) => typeLines(each, names)),
    ...(undeclared.length > 0
      ? [`  its declaration does not say which ones ${undeclared.join(' and ')} may raise`]
      : []),
  ];
}

function typeLines({ type, events, successors, linking, more }: ToldType, names: NamesForPeople): readonly string[] {
  return [
    ...events.map(
      ({ event, ends, creates }) =>
        `  ${type}: ${names.event(type, event)}${ends ? pc.red('  ends it') : ''}${creates ? '  creates one' : ''}`,
    ),
    ...successors.map((id) => `    ${id}`),
    ...(linking ?? []).map((id) => `    ${id}  links to it`),
    ...(successors.length === 0 && linking?.length === 0 && !events.some(({ creates }) => creates)
      ? ['    its declaration does not say on which']
      : []),
    ...(linking === null ? [pc.yellow('    the store could not be asked for those that link to it')] : []),
    ...moreLines(more).map((line) => `  ${line}`),
  ];
}

function moreLines(more: number): readonly string[] {
  return more > 0 ? [`  and ${more} more`] : [];
}
