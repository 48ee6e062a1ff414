import {
  getsNewRuns,
  type BuildStatus,
  type Progress,
  type RolloutEnd,
  type RolloutStatus,
} from '../../../rollout/index.js';
import { colours as pc } from '../../colours.js';
import { counted } from '../../counted.js';
import { inWords } from '../../explanation/time-words.js';
import { progressLine } from '../../progress-line.js';

const ALL = 100;

/** Prints the progress of a rollout when it changes. */
export function progressReporter(build: string): (progress: Progress) => void {
  const show = progressLine();
  return (progress) => show(progressWords(build, progress));
}

function progressWords(build: string, progress: Progress): string {
  switch (progress.kind) {
    case 'cohort': {
      const { percent, behind, woken } = progress;
      const left = behind === 0 ? 'all have moved' : `${behind} have yet to move`;
      return `${percent} % on ${build}: ${left}, ${counted(woken, 'workflow')} signaled`;
    }
    case 'drain':
      return `all new executions begin on ${build}: ${counted(progress.left, 'workflow')} left on other builds`;
    case 'rolled_back':
      return `${build} is being rolled back, because ${progress.reason}: ${counted(progress.left, 'workflow')} left on it`;
  }
}

/** How a rollout has ended, and what comes next. */
export function endWords(build: string, end: RolloutEnd, percent = ALL): string {
  const { left } = end;
  if (end.kind === 'rolled_back') {
    const rest =
      left === 0
        ? 'Nothing runs on it any more. You can stop its workers.'
        : `${counted(left, 'workflow')} ${left === 1 ? 'is' : 'are'} still on it. Leave its workers running, and check again ` +
          `with 'reeve rollout status'.`;
    return `${pc.yellow(`${build} was rolled back:`)} ${end.reason}. ${rest}`;
  }
  if (end.kind === 'stopped') {
    return (
      `${pc.yellow(`${build} was stopped:`)} ${end.reason}. It cannot be rolled back: ${counted(left, 'workflow')} ${left === 1 ? 'stays' : 'stay'} ` +
      `on it. Fix the code, start workers of the fixed build, and roll that out.`
    );
  }
  if (percent < ALL) {
    return `${pc.green(`${percent} % of the workflows go to ${build}.`)} Continue with 'reeve rollout ${build}', or roll it back with 'reeve rollout undo'.`;
  }
  const rest =
    left === 0
      ? 'The earlier builds are drained. You can stop their workers.'
      : `${counted(left, 'workflow')} ${left === 1 ? 'is' : 'are'} still on other builds. Leave their workers running until ` +
        `'reeve rollout status' shows that they are drained.`;
  return `${pc.green(`${build} has taken over.`)} ${rest}`;
}

/** The state of the builds, a line for each. */
export function statusLines({ deployment, builds, unversioned }: RolloutStatus): readonly string[] {
  if (builds.length === 0) {
    return [
      `No worker of '${deployment}' reports its build, so every worker takes every workflow. Set REEVE_BUILD=auto on the workers.`,
    ];
  }
  const hasCurrent = builds.some(({ role }) => role === 'current');
  return [
    pc.bold(deployment),
    ...builds.map(buildLine),
    ...(unversioned > 0 ? [`  ${counted(unversioned, 'workflow')} on workers without versions`] : []),
    ...(hasCurrent
      ? []
      : [pc.yellow(`  New executions begin on workers without versions. Roll a build out: reeve rollout BUILD`)]),
  ];
}

function buildLine(status: BuildStatus): string {
  const { build, running, served } = status;
  const workers = served
    ? ''
    : running > 0
      ? pc.red(': no worker serves it, so these make no progress. Start workers of this build')
      : ', no worker';
  return `  ${build.padEnd(14)} ${roleWords(status)}; ${counted(running, 'workflow')} on it${workers}${noteWords(status)}`;
}

function roleWords({ build, role, percent, running }: BuildStatus): string {
  switch (role) {
    case 'current':
      return 'new executions begin on it';
    case 'ramping':
      return `new executions of ${percent} % of the workflows begin on it`;
    case 'old':
      return running === 0 ? 'drained: its workers can be stopped' : 'no new execution begins on it';
    case 'new':
      return `never rolled out: 'reeve rollout ${build}' begins that`;
  }
}

function noteWords(status: BuildStatus): string {
  const { note, role, running, build } = status;
  if (!note) return '';
  const since = `${inWords(Date.now() - note.since)} ago`;
  const by = note.by === undefined ? '' : ` by ${note.by}`;
  switch (note.state) {
    case 'done':
      return `; rolled out ${since}${by}`;
    case 'rolling':
      return role === 'current'
        ? `; its rollout began ${since}${by}. Continue with 'reeve rollout ${build}'`
        : `; its rollout began ${since}${by}`;
    case 'stopped':
      return `; stopped, because ${note.reason}. Fix the code, and roll the next build out`;
    case 'rolled_back': {
      const goOn = getsNewRuns(status) || running > 0 ? `. Continue with 'reeve rollout undo ${build}'` : '';
      return `; rolled back${note.endedBy === undefined ? '' : ` by ${note.endedBy}`}, because ${note.reason ?? 'an operator asked for it'}${goOn}`;
    }
  }
}
