/*
 * The direction of imports (L1):
 *   definition, protocol <- recording, components <- kernel, operations, distributed <- temporal, simulation <- client, store,
 *   rollout <- telemetry, plugin <- service, stack <- project <- cli <- activities, workflows <- workers <- tools
 */
const only = (name, comment, from, ...allowed) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|activities|workflows|workers|tools|test)/', pathNot: allowed },
});

/** The modules of the kernel: each imports only those before it. */
const MODULES = [
  'rules',
  'ledger',
  'engagements',
  'triggers',
  'reservations',
  'successors',
  'waits',
  'callbacks',
  'deployments',
  'actions',
  'migration',
  'turns',
  'explain',
  'run',
  'author',
  'life',
];
const modules = MODULES.map((module, index) =>
  only(
    `kernel-${module}`,
    `Of the kernel, ${module} imports ${index === 0 ? 'nothing else' : `${MODULES.slice(0, index).join(', ')} alone`}.`,
    `^src/kernel/${module}/`,
    `^src/kernel/(${MODULES.slice(0, index + 1).join('|')})/`,
    '^src/(recording|definition|protocol)/',
    // An action can run a tree of components.
    ...(['run', 'author'].includes(module) ? ['^src/components/index'] : []),
  ),
);

/** The modules of the workflow components: each imports only those before it. */
const COMPONENT_MODULES = [
  'description',
  'tree',
  'running',
  'own',
  'combinators',
  'events',
  'handling',
  'conditions',
  'check',
  'shell',
  'show',
];
const componentModules = COMPONENT_MODULES.map((module, index) =>
  only(
    `components-${module}`,
    `Of the components, ${module} imports ${index === 0 ? 'nothing else' : `${COMPONENT_MODULES.slice(0, index).join(', ')} alone`}.`,
    `^src/components/${module}/`,
    `^src/components/(${COMPONENT_MODULES.slice(0, index + 1).join('|')})/`,
    '^src/(definition|protocol)/',
    // The shell runs trees of all kinds.
    ...(module === 'shell' ? ['^src/components/kinds'] : []),
  ),
);

/** The modules of the distributed operations: each imports only those before it. */
const DISTRIBUTED_MODULES = ['partitions', 'declaration', 'coordinator', 'instance', 'executor'];
const distributedModules = DISTRIBUTED_MODULES.map((module, index) =>
  only(
    `distributed-${module}`,
    `Of the distributed operations, ${module} imports ${index === 0 ? 'nothing else' : `${DISTRIBUTED_MODULES.slice(0, index).join(', ')} alone`}.`,
    `^src/distributed/${module}/`,
    `^src/distributed/(${DISTRIBUTED_MODULES.slice(0, index + 1).join('|')})/`,
    '^src/(definition|protocol)/',
  ),
);

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Move what both need to a file of its own, also where it is a type.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    only(
      'definition-is-the-base',
      'A declaration knows nothing of how it runs.',
      '^src/definition/',
      '^src/definition/',
    ),
    only(
      'protocol-is-the-base',
      'Messages know nothing of who sends them.',
      '^src/protocol/',
      '^src/(protocol|definition)/',
    ),
    only(
      'kernel-on-the-base',
      'The kernel reaches the world through its Driver only.',
      '^src/kernel/',
      '^src/(kernel|recording|definition|protocol)/',
      '^src/components/index',
    ),
    ...modules,
    {
      name: 'kernel-by-its-index',
      comment: 'What others need of the kernel is exported by src/kernel/index.ts.',
      severity: 'error',
      from: { path: '^(src|workers|workflows|activities|tools)/', pathNot: '^src/kernel/' },
      to: { path: '^src/kernel/', pathNot: '^src/kernel/index\\.ts$' },
    },
    only(
      'components-on-the-base',
      'A running tree is data: what it wants of the world are effects.',
      '^src/components/',
      '^src/(components|definition|protocol)/',
    ),
    ...componentModules,
    {
      name: 'components-by-their-index',
      comment: 'What others need of the components is exported by src/components/index.ts.',
      severity: 'error',
      from: { path: '^(src|workers|workflows|activities|tools)/', pathNot: '^src/components/' },
      to: { path: '^src/components/', pathNot: '^src/components/index\\.ts$' },
    },
    only(
      'distributed-on-the-base',
      'A distributed operation is data: what it wants of the world are effects.',
      '^src/distributed/',
      '^src/(distributed|definition|protocol)/',
    ),
    ...distributedModules,
    {
      name: 'distributed-by-their-index',
      comment: 'What others need of the distributed operations is exported by src/distributed/index.ts.',
      severity: 'error',
      from: { path: '^(src|workers|workflows|activities|tools)/', pathNot: '^src/distributed/' },
      to: { path: '^src/distributed/', pathNot: '^src/distributed/index\\.ts$' },
    },
    {
      name: 'production-knows-no-tools',
      comment: 'What measures and verifies Reeve is no part of what runs.',
      severity: 'error',
      from: { path: '^(src|workers|workflows|activities)/' },
      to: { path: '^tools/' },
    },
    only(
      'recording-on-the-base',
      'What is told to the store is told by a Driver.',
      '^src/recording/',
      '^src/(recording|definition|protocol)/',
    ),
    only(
      'operations-on-the-base',
      'Operations are pure.',
      '^src/operations/',
      '^src/(operations|recording|definition|protocol)/',
    ),
    only(
      'secrecy-is-a-base',
      'Keys and codecs know nothing of what is encrypted.',
      '^src/secrecy/',
      '^src/secrecy/',
      '^src/stack/files\\.ts$',
    ),
    only('packages-are-a-base', 'What is installed is known before anything runs.', '^src/packages/', '^src/packages/'),
    only(
      'temporal-on-the-core',
      'The driver knows the core, not its users.',
      '^src/temporal/',
      '^src/(temporal|packages|secrecy|kernel|components|operations|distributed|recording|definition|protocol)/',
    ),
    only(
      'plugin-for-workers',
      'The plugin lets workflows of a worker use its entities as a client does.',
      '^src/plugin/',
      '^src/(plugin|client|temporal|kernel|operations|protocol|definition)/',
    ),
    only(
      'simulation-on-the-core',
      'The simulator is another driver, and knows the core alone.',
      '^src/simulation/',
      '^src/(simulation|kernel|components|operations|recording|definition|protocol)/',
    ),
    only(
      'store-on-the-core',
      'The store knows what it is told, and nothing of who asks it.',
      '^src/store/',
      '^src/(store|secrecy|temporal|kernel|operations|protocol|definition)/',
    ),
    only(
      'ledger-of-jobs',
      'The records of jobs are kept where these run, by whoever executes them.',
      '^src/ledger/',
      '^src/(ledger|distributed|store/pool)',
    ),
    only(
      'rollout-moves-runs',
      'A rollout works on the Temporal service, and knows nothing of who has asked for it.',
      '^src/rollout/',
      '^src/(rollout|temporal|protocol|definition)/',
    ),
    only(
      'telemetry-observes',
      'Measures, traces and logs are made of what is told; nothing but the service and the processes knows of them.',
      '^src/telemetry/',
      '^src/(telemetry|store|temporal|protocol|definition)/',
    ),
    only(
      'diagram-draws-declarations',
      'A diagram shows a declaration, and knows nothing of who shows it.',
      '^src/diagram/',
      '^src/(diagram|packages|definition)/',
    ),
    only(
      'xstate-converts-declarations',
      'A machine of XState is converted to a declaration, and a declaration to a machine.',
      '^src/xstate/',
      '^src/(xstate|definition)/',
    ),
    {
      name: 'page-asks-the-service',
      comment:
        'The page runs in a browser: of the rest it has types alone, the drawing of diagrams, the words of explanations, and how a shell and OData quote.',
      severity: 'error',
      from: { path: '^src/page/' },
      to: {
        path: '^(src|activities|workflows|workers|tools|test)/',
        pathNot:
          '^src/(page|cli/explanation)/|^src/(diagram/drawing|definition/shell-word|protocol/odata-text|protocol/audited-reads|protocol/no-value-words)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    only('examples-use-the-package', 'An example imports what a package of Reeve exports.', '^examples/', '^examples/'),
    only(
      'project-serves',
      'What serves a project knows all that it serves, and nothing of the command line.',
      '^src/project/',
      '^src/(project|client|definition|diagram|service|packages|stack|store|telemetry|temporal|protocol)/',
      '^src/(components|distributed|rollout)/index\\.ts$',
    ),
    only(
      'library-knows-no-application',
      'The library works without the reference control plane (S3.9).',
      '^src/',
      '^src/',
    ),
    only(
      'workflows-are-declarations-and-actions',
      'Workflow code sees declarations and contracts.',
      '^workflows/(?!index\\.ts)',
      '^(workflows/|src/definition/|src/components/index\\.ts$)',
      '^activities/([^/]+/contract|values/[^/]+)\\.ts$',
    ),
    only(
      'contracts-are-data',
      'A contract is imported by workflow code.',
      '^activities/([^/]+/contract|values/[^/]+)\\.ts$',
      '^src/definition/',
      '^activities/values/',
    ),
    only(
      'activities-are-providers',
      'Providers know nothing of entities.',
      '^activities/',
      '^(activities|src/(definition|protocol|temporal|stack|ledger))/',
      '^src/distributed/index',
    ),
  ],
  options: {
    doNotFollow: { path: '(^|/)(node_modules|dist)/' },
    exclude: { path: '^examples/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
