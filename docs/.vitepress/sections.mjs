/** The pages of the site, in the order in which people read them. `also` are further folders of a section. */
export const SECTIONS = [
  {
    text: 'Start',
    folder: 'start',
    groups: [
      {
        text: 'Start',
        pages: ['start/install', 'start/five-minutes', 'start/tutorial', 'start/step-by-step', 'start/examples'],
      },
    ],
  },
  {
    text: 'Concepts',
    folder: 'concepts',
    groups: [
      {
        text: 'An entity',
        pages: ['concepts/entity', 'concepts/event', 'concepts/action', 'concepts/state'],
      },
      {
        text: 'Entities together',
        pages: ['concepts/operation', 'concepts/successors', 'concepts/reservations', 'concepts/answers'],
      },
      { text: 'Larger work', pages: ['concepts/components', 'concepts/partitions'] },
      { text: 'The whole', pages: ['concepts/processes', 'concepts/guarantees'] },
    ],
  },
  {
    text: 'Guides',
    folder: 'guides',
    groups: [
      {
        text: 'Declare',
        pages: [
          'guides/declare',
          'guides/guards',
          'guides/while-busy',
          'guides/time',
          'guides/keys',
          'guides/values',
          'guides/infinite-loops',
        ],
      },
      {
        text: 'Work that fails or lasts',
        pages: [
          'guides/retry',
          'guides/compensate',
          'guides/long-calls',
          'guides/providers',
          'guides/where-calls-run',
          'guides/many-answers',
        ],
      },
      {
        text: 'Entities together',
        pages: ['guides/wait-for-others', 'guides/transfer', 'guides/answers', 'guides/terminated'],
      },
      { text: 'Test', pages: ['guides/test'] },
      { text: 'Change', pages: ['guides/change', 'guides/migrations'] },
      {
        text: 'Components and partitions',
        pages: ['guides/components', 'guides/component-kinds', 'guides/partitions', 'guides/run-partitions'],
      },
      { text: 'Come from', pages: ['guides/from-temporal', 'guides/xstate', 'guides/from-cron'] },
      {
        text: 'Around it',
        pages: [
          'guides/projects',
          'guides/handlers',
          'guides/listen',
          'guides/temporal-client',
          'guides/own-worker',
          'guides/nexus',
          'guides/control-plane',
        ],
      },
    ],
  },
  {
    text: 'Operate',
    folder: 'operate',
    groups: [
      { text: 'Every day', pages: ['operate/stuck', 'operate/web-page', 'operate/command-line', 'operate/observe'] },
      {
        text: 'Deploy',
        pages: [
          'operate/deploy',
          'operate/kubernetes',
          'operate/lambda',
          'operate/rollout',
          'operate/upgrade',
          'operate/performance',
        ],
      },
      { text: 'Protect', pages: ['operate/access', 'operate/secrecy', 'operate/backup', 'operate/replica'] },
      { text: 'Automate', pages: ['operate/http'] },
    ],
  },
  {
    text: 'Reference',
    folder: 'reference',
    also: ['background'],
    groups: [
      { text: 'Promises', pages: ['background/guarantees', 'reference/limits', 'background/glossary'] },
      { text: 'Inside', pages: ['background/architecture', 'background/testing'] },
    ],
  },
];
