import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';

/** Tests with real services that take minutes, most of which they wait. */
const LONG = 'test/{client/explain,conformance/temporal,page/yard,temporal/distributed}.test.ts';
/** Files that begin first, so that nobody waits for them at the end. */
const FIRST = [
  'temporal/distributed',
  'conformance/temporal',
  'client/explain',
  'page/yard',
  'cli/cli',
  'cli/remote',
  'store/replica',
  'temporal/rollout',
  'project/succession',
  'temporal/changed-way',
];

/** Compiled code is kept for the next run: workers of tests, their threads and the processes that they start load the same modules. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

const CONTROL_PLANE = 'test/control-plane/**/*.test.ts';
/** Tests that start Reeve's own processes as those who run it do, and end or kill them, and those that need a process of their own. */
const PROCESSES = [
  'test/{activities,cli,project,readme,stack}/**/*.test.ts',
  'test/store/replica.test.ts',
  // They set up Temporal's runtime for their process, or debug it: that takes gigabytes where dozens of files were loaded before.
  'test/telemetry/{log,temporal-runtime}.test.ts',
  // It puts another module in the place of one that is shared by those who ran before.
  'test/temporal/calendar.test.ts',
  // They bundle with webpack again and again, or have code that does not end: seconds of nothing but processor time.
  'test/temporal/{bundle,endless-code}.test.ts',
  'test/temporal/{changed-way,loop-watch,provider-process,resumption,rollout}.test.ts',
];
/** What they test sees no Node, no clock and no service (L2), so one file leaves nothing behind for the next. */
const PURE = 'test/{components,definition,kernel,laws,operations,recording,simulation}/**/*.test.ts';

/** What tests with real services and processes need. Those of pure code wait for no build. */
const SERVICES = ['test/support/build.ts', 'test/support/run-services.ts'];

/** Files that begin first, then all others in an order that the seed of the run shuffles, so that what one leaves behind meets another one each time. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const place = ({ moduleId, project }: TestSpecification) => {
      const first = FIRST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      const shuffled = createHash('sha256').update(`${seed} ${moduleId}`).digest('hex');
      // Files of one project share what a worker has loaded.
      return `${String(first < 0 ? FIRST.length : first).padStart(2, '0')} ${project.name} ${shuffled}`;
    };
    const places = new Map(files.map((file) => [file, place(file)]));
    return [...files].sort((one, other) => (places.get(one)! < places.get(other)! ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    setupFiles: ['test/support/plain.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    // Modules that have not changed since the last run are not compiled anew.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    // Files that need real services mostly wait for them: three leave two cores idle for a fifth of the time.
    maxWorkers: 4,
    // Pure tests come first, with workers of their own. Vitest runs no file of an order below 0, and says nothing.
    sequence: { sequencer: LongFirst, seed: Date.now(), groupOrder: 1 },
    // How long something takes is for benchmarks: on a busy machine everything takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          // Modules are loaded once for each worker: to load them for each file took as long as the tests.
          ...{ name: 'pure', include: [PURE], isolate: false },
          // They wait for nothing. Each worker beyond the cores loads and optimizes the same code once more, for seconds.
          ...{ maxWorkers: 2, sequence: { groupOrder: 0 } },
        },
      },
      {
        extends: true,
        test: {
          ...{ name: 'services', include: ['test/**/*.test.ts'], exclude: [PURE, LONG, CONTROL_PLANE, ...PROCESSES] },
          ...{ globalSetup: SERVICES, setupFiles: ['test/support/undisturbed.ts'], isolate: false },
        },
      },
      // These and all below take minutes: `npm run test:long`.
      {
        extends: true,
        test: {
          ...{ name: 'long', include: [LONG], globalSetup: SERVICES },
          ...{ setupFiles: ['test/support/undisturbed.ts'], isolate: false },
        },
      },
      // Some compile, pack and install a project, each of which is slow on a busy machine.
      { extends: true, test: { name: 'processes', include: PROCESSES, globalSetup: SERVICES, testTimeout: 900_000 } },
      // Real PostgreSQL servers by the dozen.
      { extends: true, test: { name: 'control-plane', include: [CONTROL_PLANE], globalSetup: SERVICES } },
    ],
  },
});
