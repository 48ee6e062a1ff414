import type { BuildStatus, Progress, RolloutEnd, RolloutStatus } from '../../../rollout/index.js';
import { colours as pc } from '../../colours.js';
import { counted } from '../../counted.js';
import { inWords } from '../../explanation/time-words.js';
import { progressLine } from '../../progress-line.js';

const ALL = 100;

/** Prints how a rollout gets on, when that changes. */
export function progressReporter(build: string): (progress: Progress) => void {
  const show = progressLine();
  return (progress) => show(progressWords(build, progress));
}

function progressWords(build: string, progress: Progress): string {
  switch (progress.kind) {
    case 'cohort': {
      const { percent, behind, woken } = progress;
      const left = behind === 0 ? 'all have gone over' : `${behind} have yet to go over`;
      return `${percent} % on ${build}: ${left}, ${counted(woken, 'workflow')} woken`;
    }
    case 'drain':
      return `all new runs begin on ${build}: ${counted(progress.left, 'workflow')} left on other builds`;
    case 'back':
      return `${build} is taken back, since ${progress.reason}: ${counted(progress.left, 'workflow')} left on it`;
  }
}

/** How a rollout has ended, and what comes next. */
export function endWords(build: string, end: RolloutEnd, percent = ALL): string {
  const { left } = end;
  if (end.kind === 'back') {
    const rest =
      left === 0
        ? 'Nothing runs on it any more: its workers can end.'
        : `${counted(left, 'workflow')} ${left === 1 ? 'is' : 'are'} on it still: leave its workers running, and look again ` +
          `with 'reeve rollout status'.`;
    return `${pc.yellow(`${build} was taken back:`)} ${end.reason}. ${rest}`;
  }
  if (end.kind === 'stopped') {
    return (
      `${pc.yellow(`${build} was stopped:`)} ${end.reason}. There is no way back: ${counted(left, 'workflow')} ${left === 1 ? 'stays' : 'stay'} ` +
      `on it. Mend it, start workers of the mended build, and roll that out.`
    );
  }
  if (percent < ALL) {
    return `${pc.green(`${percent} % of the workflows go to ${build}.`)} Go on with 'reeve rollout ${build}', or take it back: reeve rollout back.`;
  }
  const rest =
    left === 0
      ? 'The builds before it are drained: their workers can end.'
      : `${counted(left, 'workflow')} ${left === 1 ? 'is' : 'are'} on other builds still: leave their workers running until ` +
        `'reeve rollout status' says that they are drained.`;
  return `${pc.green(`${build} has taken over.`)} ${rest}`;
}

/** How the builds stand, a line for each. */
export function statusLines({ deployment, builds, unversioned }: RolloutStatus): readonly string[] {
  if (builds.length === 0) {
    return [
      `No worker has said which build of '${deployment}' it runs, so every worker takes every run. REEVE_BUILD=auto lets workers say it.`,
    ];
  }
  const hasCurrent = builds.some(({ role }) => role === 'current');
  return [
    pc.bold(deployment),
    ...builds.map(buildLine),
    ...(unversioned > 0 ? [`  ${counted(unversioned, 'workflow')} on workers without versions`] : []),
    ...(hasCurrent
      ? []
      : [pc.yellow(`  New runs begin on workers without versions. Let them begin on a build: reeve rollout BUILD`)]),
  ];
}

function buildLine(status: BuildStatus): string {
  const { build, running, served } = status;
  const workers = served
    ? ''
    : running > 0
      ? pc.red(': no worker serves it, so these do not go on. Start workers of this build')
      : ', no worker';
  return `  ${build.padEnd(14)} ${roleWords(status)}; ${counted(running, 'workflow')} on it${workers}${noteWords(status)}`;
}

function roleWords({ role, percent, running }: BuildStatus): string {
  switch (role) {
    case 'current':
      return 'new runs begin on it';
    case 'ramping':
      return `new runs of ${percent} % of the workflows begin on it`;
    case 'old':
      return running === 0 ? 'drained: its workers can end' : 'no new run begins on it';
  }
}

function noteWords({ note, role, running, build }: BuildStatus): string {
  if (!note) return '';
  const since = `${inWords(Date.now() - note.since)} ago`;
  switch (note.state) {
    case 'done':
      return `; rolled out ${since}`;
    case 'rolling':
      return role === 'current'
        ? `; go on with its rollout, begun ${since}: reeve rollout ${build}`
        : `; its rollout began ${since}`;
    case 'stopped':
      return `; stopped, since ${note.reason}: mend it, and roll the next build out`;
    case 'back': {
      const goOn = role !== 'old' || running > 0 ? `: go on with 'reeve rollout back ${build}'` : '';
      return `; taken back, since ${note.reason ?? 'somebody has asked for it'}${goOn}`;
    }
  }
}
