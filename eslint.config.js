import tseslint from 'typescript-eslint';

/*
 * The purity law (L2): what runs in workflows sees no Node, no clock, no randomness and no Temporal.
 * The message of each ban says what to use instead.
 */
const PURE = [
  'src/{definition,protocol,recording,kernel,components,operations,distributed,simulation,xstate}/**/*.ts',
  'workflows/**/*.ts',
];

const bannedGlobals = [
  ['process', 'Take settings as arguments.'],
  ['console', 'Use driver.warn(), or return what there is to say.'],
  ['setTimeout', 'Use driver.until(), or a wait that is declared on the state.'],
  ['setInterval', 'Use driver.until().'],
  ['fetch', 'Call a resource: app.call(resource.call, input).'],
  ['crypto', 'Use driver.uuid().'],
  ['performance', 'Use driver.now(), or app.now() in an action.'],
  ['Buffer', 'Use strings and plain JSON.'],
].map(([name, message]) => ({ name, message }));

const clockOrChance = [
  [
    'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
    'Use driver.now(), or app.now() in an action.',
  ],
  ['NewExpression[callee.name="Date"][arguments.length=0]', 'Use new Date(driver.now()), or app.now() in an action.'],
  ['CallExpression[callee.object.name="Math"][callee.property.name="random"]', 'Use driver.uuid().'],
].map(([selector, message]) => ({ selector, message }));

/** A module that exports `then` is taken for a promise by whoever imports it dynamically. */
const EXPORTED_THEN = {
  selector: 'ExportNamedDeclaration > FunctionDeclaration[id.name="then"]',
  message: 'Choose another name: a module with an export `then` cannot be imported dynamically.',
};

/** The law of cuts (L7): the SDK hands a history to workflow code in pieces as it likes, and in others when it replays. */
const CUT_BY_THE_SDK = ['historyLength', 'historySize', 'continueAsNewSuggested'].map((name) => ({
  selector: `:matches(MemberExpression[property.name="${name}"], ObjectPattern > Property[key.name="${name}"])`,
  message: 'It differs when a history is replayed. Count what comes in and goes out: see src/temporal/run.ts.',
}));
const workflowClock = {
  selector: clockOrChance[0].selector,
  message: 'Use the clock of src/temporal/run.ts: it never lags behind a timer that has ended.',
};

const impureImports = [
  {
    group: ['node:*'],
    message: 'Pure code sees no Node. Call a resource, or move this to src/temporal, client, stack or cli.',
  },
  { group: ['@temporalio/*'], message: 'Pure code sees no Temporal. Use the Driver of src/kernel/run/driver.ts.' },
];

export default tseslint.config(
  {
    ignores: [
      ...[
        '**/dist/',
        'node_modules/',
        '**/.reeve/',
        '.stryker/',
        'infra/**/*',
        '!infra/*.mjs',
        '*.config.*',
        '!eslint.config.js',
        '.dependency-cruiser.js',
      ],
      // The bundler of workflow code reads them: it alone finds modules by a pattern, and only in CommonJS.
      'test/support/*.cjs',
    ],
  },
  ...tseslint.configs.recommended,
  {
    // Rules that need types are in .oxlintrc.json: oxlint asks the native compiler, in a tenth of the time.
    rules: {
      // A sentence begins with its subject; a docstring with a verb, or the noun for the thing.
      'no-warning-comments': [
        'error',
        { terms: ['what', 'who', 'whoever', 'whether'], location: 'start', decoration: ['*'] },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A message is an interface of what its schema describes: its name is then what errors tell.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      eqeqeq: 'error',
      'no-restricted-syntax': ['error', EXPORTED_THEN],
    },
  },
  {
    files: PURE,
    ignores: ['workflows/index.ts', 'src/simulation/drain.ts'],
    rules: {
      'no-restricted-globals': ['error', ...bannedGlobals],
      'no-restricted-syntax': ['error', EXPORTED_THEN, ...clockOrChance],
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: impureImports }],
    },
  },
  {
    files: ['src/temporal/**/*.ts'],
    // The one place that reads them; and what runs outside of workflows.
    ignores: [
      'src/temporal/run.ts',
      'src/temporal/history-gate.ts',
      'src/temporal/call-observer.ts',
      'src/temporal/replay-records.ts',
      'src/temporal/served-builds.ts',
      'src/temporal/witness.ts',
      'src/temporal/keeper/watch-losses.ts',
      'src/temporal/distributed/{executor,lane-driver,lane-watch}.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', EXPORTED_THEN, ...CUT_BY_THE_SDK, workflowClock] },
  },
  {
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
);
