import { CLASS_WORDS, type Change } from '../../../definition/evolution/change.js';
import { isOpen } from '../../../definition/evolution/compare.js';
import { colours as pc } from '../../colours.js';
import { counted } from '../../counted.js';
import type { Live, Liveness } from './live.js';

/** The difference for people: what is open first, then what is covered, then what is safe. */
export function differenceLines(changes: readonly Change[], live: Live | undefined): readonly string[] {
  if (changes.length === 0) return ['no difference'];
  const open = changes.filter(isOpen);
  const covered = changes.filter((each) => each.class !== 'safe' && each.covered);
  const harmless = changes.filter((each) => each.class === 'safe');
  return [
    ...open.flatMap((each) => changeLines(each, pc.red(CLASS_WORDS[each.class]), live)),
    ...covered.flatMap((each) => changeLines(each, pc.yellow(`${CLASS_WORDS[each.class]}, covered`), live)),
    ...harmless.map(({ place, sentence }) => `${pc.green('safe')}  ${pc.bold(place)}  ${sentence}`),
    '',
    `${counted(changes.length, 'change')}: ${open.length} open, ${covered.length} covered by a migration or a rename, ${harmless.length} safe`,
    ...triedLines(live),
    ...(live?.source === 'temporal'
      ? [
          pc.yellow(
            'counts from Temporal, a moment late: the store is unavailable, so events are not counted and no migration was tried',
          ),
        ]
      : []),
  ];
}

const SHOWN_PLACES = 5;

/** Where code was compared, and how far that goes. */
export function codeLines(places: readonly string[]): readonly string[] {
  if (places.length === 0) return [];
  const named = places.slice(0, SHOWN_PLACES).join(', ') + (places.length > SHOWN_PLACES ? ', ...' : '');
  return [
    pc.dim(
      `code in ${counted(places.length, 'declaration')} was compared only as text, without the values that it captures (${named})`,
    ),
  ];
}

function changeLines(change: Change, kind: string, live: Live | undefined): readonly string[] {
  const touched = live?.touched.get(change);
  return [
    `${kind}  ${pc.bold(change.place)}`,
    `    ${change.sentence}`,
    ...(touched ? [`    ${touchedWords(touched)}`] : []),
    ...(change.remedy === undefined || change.covered ? [] : [`    ${pc.dim(change.remedy)}`]),
  ];
}

function touchedWords({ entities, keys, raised }: Liveness): string {
  const named = keys.length > 0 ? `: ${keys.join(', ')}${entities > keys.length ? ', ...' : ''}` : '';
  const often = raised === undefined ? '' : `; raised ${counted(raised, 'time')} in 30 days`;
  return `touches ${living(entities)}${named}${often}`;
}

function triedLines(live: Live | undefined): readonly string[] {
  return (live?.tried ?? []).flatMap(({ type, schema, tried, failed, problems, ms, back, unasked }) => [
    `${type}: ${living(tried)} migrated to schema ${schema} on trial${back ? ' and back' : ''} in ${(ms / 1_000).toFixed(1)} s, ${failed === 0 ? pc.green('all succeed') : pc.red(`${failed} fail`)}`,
    ...(unasked ? [pc.yellow('    the rules in code of the old declaration were not checked for the rollback')] : []),
    ...problems.map(({ problem }) => `    ${problem}`),
    ...(failed > problems.length ? [`    and ${failed - problems.length} more`] : []),
  ]);
}

function living(count: number): string {
  return `${count} live ${count === 1 ? 'entity' : 'entities'}`;
}
