import { describe, expect, it } from 'vitest';
import { kindsOf } from '../../src/components/index.js';

/** Each attribute of each component with its default, as the source and the design give it; `undefined`: it has none. */
const DEFAULTS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['Compound', { sfShouldTerminate: false }],
  ['CounterAction', { action: undefined, counterAction: undefined, liveness: undefined, within: 60_000 }],
  ['Delay', { action: undefined, time: 0, delay: undefined }],
  ['During', { action: undefined, time: 0 }],
  ['Finally', { action: undefined, within: 60_000 }],
  [
    'Parallel',
    {
      asynchCreateChild: false,
      terminateOnEmptyDeploy: false,
      terminateOnAbnormalChildTermination: true,
      terminateOnAbnormalChildDeploy: true,
      sfShouldTerminate: true,
    },
  ],
  ['RandomSequence', { seed: 6387315 }],
  ['Repeat', { action: undefined, repeat: 1 }],
  ['Retry', { action: undefined, retry: 1, retries: undefined, delay: 0, count: 0 }],
  ['Sequence', { sfShouldTerminate: true }],
  [
    'TestBlock',
    {
      ...{ action: undefined, timeout: 0, outcome: undefined, status: undefined },
      ...{ exitType: undefined, exitText: undefined, sfShouldTerminate: true },
    },
  ],
  ['Timeout', { action: undefined, time: 0 }],
  ['Try', { action: undefined }],
  ['Call', { activity: undefined, input: undefined, output: undefined, sfShouldTerminate: true }],
  ['DoNothing', { time: 10_000, terminationType: 'normal', message: undefined, printEvents: true }],
  ['Fail', { message: 'failure', normal: false, delay: 0, condition: undefined }],
  ['EventCounter', { count: 1, allDifferent: true }],
  ['EventQueue', { limit: 1_000 }],
  ['EventSend', { event: undefined }],
  ['OnEvent', { singleEvent: true }],
  ['Attribute', { component: undefined, name: undefined, value: undefined }],
  ['Run', { action: undefined, parent: undefined, asName: undefined }],
  [
    'Terminator',
    { kill: undefined, type: 'normal', selftype: 'normal', description: 'terminator action', detachFirst: false },
  ],
  [
    'EvaluateCondition',
    {
      condition: undefined,
      failOnFalse: true,
      message: 'its condition does not hold',
      result: undefined,
      sfShouldTerminate: true,
    },
  ],
  ['If', { condition: undefined, then: undefined, else: undefined, sfShouldTerminate: true }],
  ['LivenessTest', { condition: undefined, message: 'its condition does not hold' }],
  ['TestCompound', { action: undefined, condition: undefined, tests: undefined, timeout: undefined, interval: 1_000 }],
  [
    'WaitFor',
    {
      ...{ condition: undefined, then: undefined, else: undefined, timeout: undefined },
      ...{ interval: 1_000, message: 'Timed out', sfShouldTerminate: true },
    },
  ],
  ['And', {}],
  ['Not', { condition: undefined }],
  ['Or', {}],
  ['Xor', {}],
  ['AssertCondition', { isTrue: undefined, isFalse: undefined, left: undefined, right: undefined }],
  ['Equals', { left: undefined, right: undefined }],
  ['RunningFor', { milliseconds: 0, seconds: 0, minutes: 0, hours: 0, days: 0 }],
  ['IsAlive', { component: undefined }],
  ['Resolves', { reference: undefined }],
  ['StringLength', { value: undefined, minimum: 0, maximum: undefined }],
  ['StringEquals', { left: undefined, right: undefined, caseSensitive: true }],
  ['Value', { value: undefined }],
  ['DatabaseLive', { url: undefined }],
  ['DatabaseOpen', { url: undefined }],
  ['FileExists', { file: undefined, minimumSize: 0 }],
  ['HostExists', { hostname: undefined }],
  ['IsPropertySet', { property: undefined }],
  ['LivenessPage', { url: undefined, status: 200, mimeTypes: [], minimumSize: 0 }],
];

/** Of every component. W2, W4 */
const COMMON = {
  sfShouldTerminate: false,
  sfShouldTerminateQuietly: false,
  sfShouldDetach: false,
  sfSyncTerminate: false,
  sendTo: [],
  registerWith: [],
  parameters: undefined,
  host: undefined,
  reachWithin: undefined,
};

describe('the attributes of shipped components (W1, W2, W3, W4)', () => {
  const rows = DEFAULTS.flatMap(([kind, attributes]) =>
    Object.entries({ ...COMMON, ...attributes }).map(([name, value]) => [kind, name, value] as const),
  );

  it.each(rows)('%s.%s is %j by default', (kind, name, value) => {
    const { attributes, defaults = {} } = kindsOf().get(kind)!;
    const field = attributes.shape[name] as unknown as { safeParse(value: unknown): { data?: unknown } };
    expect(name in defaults ? defaults[name] : field.safeParse(undefined).data).toEqual(value);
  });

  it('are all named here', () => {
    const named = DEFAULTS.map(([kind, attributes]) => [
      kind,
      [...new Set(Object.keys({ ...COMMON, ...attributes }))].sort(),
    ]);
    const known = [...kindsOf().values()].map(({ name, attributes }) => [name, Object.keys(attributes.shape).sort()]);
    expect(known.sort()).toEqual(named.sort());
  });
});
