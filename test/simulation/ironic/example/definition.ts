import { z } from 'zod';
import {
  alreadyDone,
  alreadyInProgress,
  and,
  defineEntity,
  deleted,
  initial,
  linked,
  not,
  or,
  parameter,
  property,
  rejection,
  stable,
  unstable,
} from '../../../../src/definition/index.js';

/** A piece of work: by the conductor, by the agent on the node, or a pause until an operator lets it go on. */
export const stepSchema = z.object({ by: z.enum(['conductor', 'agent', 'hold']), name: z.string() });
const steps = z.object({ steps: z.array(stepSchema).optional() });
const image = z.object({ image: z.string() });

/** The conductor works. A broken machine is not tried again; anything else may pass. */
const working = <Failed extends string>(exhausted: Failed) =>
  unstable({
    retry: { attempts: 3, delay: '5s', exhausted, errors: { hardware_broken: { attempts: 1 } } },
  });
/** The agent works, and calls back. */
const awaited = (displayName: string) =>
  stable({ displayName, waiting: true, deadline: { after: '30m', raise: 'fail' } });
const held = (displayName: string) => stable({ displayName });
const failed = (displayName: string) => stable({ displayName, health: 'error' });

const usable = [
  {
    is: property('maintenance').is(false),
    otherwise: rejection('node_in_maintenance', 'The node is in maintenance.'),
  },
];

/**
 * A bare-metal server, with the states and verbs of OpenStack Ironic: enrolled, cleaned, deployed, rescued, serviced and torn down. Its
 * conductor works in one state at a time, and a verb that comes meanwhile is rejected at once.
 */
export const Node = defineEntity('Node', {
  description: 'A bare-metal server',
  key: z.string().regex(/^[a-z0-9-]{1,60}$/),
  construct: z.object({ address: z.string(), resourceClass: z.string().optional() }),
  properties: z.object({
    address: z.string().default(''),
    resourceClass: z.string().default('baremetal'),
    vendor: z.string().optional(),
    isOn: z.boolean().optional(),
    image: z.string().optional(),
    maintenance: z.boolean().default(false),
    reason: z.string().optional(),
    /** The state to which the work under way leads. */
    target: z.enum(['manageable', 'available', 'active', 'rescue']).optional(),
    steps: z.array(stepSchema).default([]),
    next: z.number().default(0),
  }),
  links: { instance: { to: 'Instance', many: false } },
  dimensions: { resource_class: 'properties.resourceClass' },
  busy: rejection('node_locked', 'The conductor works on the node.'),
  cancel: 'abort',
  states: {
    enroll: initial(stable()),
    verifying: working('enroll'),
    manageable: stable(),
    inspecting: working('inspect_failed'),
    inspect_wait: awaited('inspect wait'),
    inspect_failed: failed('inspect failed'),
    cleaning: working('clean_failed'),
    clean_wait: awaited('clean wait'),
    clean_hold: held('clean hold'),
    clean_failed: failed('clean failed'),
    available: stable({
      constraint: z.object({ properties: z.object({ image: z.undefined().optional() }) }),
    }),
    deploying: working('deploy_failed'),
    wait_call_back: awaited('wait call-back'),
    deploy_hold: held('deploy hold'),
    deploy_failed: failed('deploy failed'),
    active: stable({ constraint: z.object({ properties: image }) }),
    deleting: working('error'),
    error: stable({ health: 'error' }),
    adopting: working('adopt_failed'),
    adopt_failed: failed('adopt failed'),
    rescuing: working('rescue_failed'),
    rescue_wait: awaited('rescue wait'),
    rescue: stable(),
    rescue_failed: failed('rescue failed'),
    unrescuing: working('unrescue_failed'),
    unrescue_failed: failed('unrescue failed'),
    servicing: working('service_failed'),
    service_wait: awaited('service wait'),
    service_hold: held('service hold'),
    service_failed: failed('service failed'),
    gone: deleted(),
  },
  events: {
    // The verbs of the API.
    manage: {
      in: ['enroll', 'available', 'clean_failed', 'inspect_failed', 'adopt_failed'],
      otherwise: { manageable: alreadyDone(), verifying: alreadyInProgress() },
    },
    inspect: { in: ['manageable', 'inspect_failed'], params: steps, when: usable },
    provide: { in: 'manageable', params: steps, when: usable, otherwise: { available: alreadyDone() } },
    clean: { in: 'manageable', params: steps, when: usable },
    adopt: { in: ['manageable', 'adopt_failed'], params: steps.extend(image.shape) },
    deploy: {
      in: ['available', 'deploy_failed'],
      params: steps.extend(image.shape),
      when: usable,
      budget: '2h',
      otherwise: { deploying: alreadyInProgress(), active: alreadyDone() },
    },
    rebuild: {
      in: ['active', 'deploy_failed', 'error'],
      params: steps.extend(image.partial().shape),
      when: [...usable, { is: or(parameter('image').isSet(), property('image').isSet()) }],
    },
    delete: {
      in: [
        ...(['active', 'wait_call_back', 'deploy_failed', 'error', 'rescue', 'rescue_failed'] as const),
        ...(['rescue_wait', 'unrescue_failed', 'service_failed', 'service_wait'] as const),
      ],
      params: steps,
      interrupts: 'cancel',
      otherwise: { available: alreadyDone(), deleting: alreadyInProgress() },
    },
    rescue: {
      in: ['active', 'rescue', 'rescue_failed', 'unrescue_failed', 'service_failed'],
      params: steps,
      when: usable,
    },
    unrescue: { in: ['rescue', 'rescue_failed', 'unrescue_failed'], params: steps },
    service: { in: ['active', 'service_failed', 'service_hold'], params: steps, when: usable },
    unhold: { in: ['deploy_hold', 'clean_hold', 'service_hold'] },
    abort: {
      in: [
        ...(['deploy_hold', 'wait_call_back', 'clean_wait', 'clean_hold', 'inspect_wait', 'rescue_wait'] as const),
        ...(['service_wait', 'service_hold', 'service_failed'] as const),
      ],
    },
    // The agent and the conductor say this of a node that waits. While the conductor works, its action says it.
    resume: {
      in: ['wait_call_back', 'clean_wait', 'inspect_wait', 'rescue_wait', 'service_wait'],
      answer: true,
      internal: true,
    },
    hold: { in: ['wait_call_back', 'clean_wait', 'service_wait', 'service_failed'], roles: ['conductor'] },
    wait: { in: 'service_failed', roles: ['conductor'] },
    done: { in: 'inspect_wait', roles: ['conductor'] },
    fail: {
      in: ['wait_call_back', 'clean_wait', 'inspect_wait', 'rescue_wait', 'service_wait', 'service_hold'],
      roles: ['conductor'],
    },
    // These do not move it.
    setMaintenance: {
      in: ['enroll', 'manageable', 'available', 'active', 'error', 'deploying', 'cleaning'],
      params: z.object({ reason: z.string().optional() }),
      stays: true,
      busy: 'wait',
    },
    clearMaintenance: {
      in: ['enroll', 'manageable', 'available', 'active', 'error', 'deploying', 'cleaning'],
      stays: true,
      busy: 'wait',
    },
    assign: {
      in: 'available',
      params: z.object({ instance: z.string() }),
      stays: true,
      when: [{ is: not(linked('instance').isSet()), otherwise: rejection('already_assigned') }],
    },
    syncPower: {
      in: ['manageable', 'available', 'active', 'rescue'],
      internal: true,
      stays: true,
      when: [{ is: property('maintenance').is(false) }],
    },
    destroy: {
      in: ['enroll', 'manageable', 'adopt_failed'],
      when: [{ is: and(not(property('image').isSet()), not(linked('instance').isSet())) }],
    },
  },
  actions: {
    startVerifying: { on: 'manage', in: 'enroll', to: 'verifying' },
    backToManageable: {
      on: 'manage',
      in: ['available', 'clean_failed', 'inspect_failed', 'adopt_failed'],
      to: 'manageable',
    },
    startInspecting: { on: 'inspect', in: ['manageable', 'inspect_failed'], to: 'inspecting' },
    startProviding: { on: 'provide', in: 'manageable', to: 'cleaning' },
    startCleaning: { on: 'clean', in: 'manageable', to: 'cleaning' },
    startAdopting: { on: 'adopt', in: ['manageable', 'adopt_failed'], to: 'adopting' },
    startDeploying: { on: 'deploy', in: ['available', 'deploy_failed'], to: 'deploying' },
    startRebuilding: { on: 'rebuild', in: ['active', 'deploy_failed', 'error'], to: 'deploying' },
    startDeleting: {
      on: 'delete',
      in: [
        ...(['active', 'wait_call_back', 'deploy_failed', 'error', 'rescue', 'rescue_failed'] as const),
        ...(['rescue_wait', 'unrescue_failed', 'service_failed', 'service_wait'] as const),
      ],
      to: 'deleting',
    },
    startRescuing: {
      on: 'rescue',
      in: ['active', 'rescue', 'rescue_failed', 'unrescue_failed', 'service_failed'],
      to: 'rescuing',
    },
    startUnrescuing: { on: 'unrescue', in: ['rescue', 'rescue_failed', 'unrescue_failed'], to: 'unrescuing' },
    startServicing: { on: 'service', in: ['active', 'service_failed', 'service_hold'], to: 'servicing' },
    unholdDeploy: { on: 'unhold', in: 'deploy_hold', to: 'wait_call_back' },
    unholdClean: { on: 'unhold', in: 'clean_hold', to: 'clean_wait' },
    unholdService: { on: 'unhold', in: 'service_hold', to: 'service_wait' },
    abortDeploy: { on: 'abort', in: ['deploy_hold', 'wait_call_back'], to: 'deploy_failed' },
    abortClean: { on: 'abort', in: ['clean_wait', 'clean_hold'], to: 'clean_failed' },
    abortInspect: { on: 'abort', in: 'inspect_wait', to: 'inspect_failed' },
    abortRescue: { on: 'abort', in: 'rescue_wait', to: 'rescue_failed' },
    abortService: { on: 'abort', in: ['service_wait', 'service_hold'], to: 'service_failed' },
    leaveService: { on: 'abort', in: 'service_failed', to: 'active' },
    // The conductor works.
    verify: { in: 'verifying', to: ['manageable', 'enroll'] },
    inspect: { in: 'inspecting', to: ['manageable', 'inspect_wait', 'inspect_failed'] },
    clean: { in: 'cleaning', to: ['available', 'manageable', 'clean_wait', 'clean_hold', 'clean_failed'] },
    deploy: { in: 'deploying', to: ['active', 'wait_call_back', 'deploy_hold', 'deploy_failed'] },
    tearDown: { in: 'deleting', to: ['cleaning', 'error'] },
    adopt: { in: 'adopting', to: ['active', 'adopt_failed'] },
    rescue: { in: 'rescuing', to: ['rescue', 'rescue_wait', 'rescue_failed'] },
    unrescue: { in: 'unrescuing', to: ['active', 'unrescue_failed'] },
    service: { in: 'servicing', to: ['active', 'service_wait', 'service_hold', 'service_failed'] },
    // The agent has called back.
    resumeDeploy: { on: 'resume', in: 'wait_call_back', to: 'deploying' },
    resumeClean: { on: 'resume', in: 'clean_wait', to: 'cleaning' },
    resumeInspect: { on: 'resume', in: 'inspect_wait', to: 'inspecting' },
    resumeRescue: { on: 'resume', in: 'rescue_wait', to: 'rescuing' },
    resumeService: { on: 'resume', in: 'service_wait', to: 'servicing' },
    holdDeploy: { on: 'hold', in: 'wait_call_back', to: 'deploy_hold' },
    holdClean: { on: 'hold', in: 'clean_wait', to: 'clean_hold' },
    holdService: { on: 'hold', in: ['service_wait', 'service_failed'], to: 'service_hold' },
    waitService: { on: 'wait', in: 'service_failed', to: 'service_wait' },
    doneInspect: { on: 'done', in: 'inspect_wait', to: 'manageable' },
    failDeploy: { on: 'fail', in: 'wait_call_back', to: 'deploy_failed' },
    failClean: { on: 'fail', in: 'clean_wait', to: 'clean_failed' },
    failInspect: { on: 'fail', in: 'inspect_wait', to: 'inspect_failed' },
    failRescue: { on: 'fail', in: 'rescue_wait', to: 'rescue_failed' },
    failService: { on: 'fail', in: ['service_wait', 'service_hold'], to: 'service_failed' },
    // These do not move it.
    setMaintenance: {
      on: 'setMaintenance',
      in: ['enroll', 'manageable', 'available', 'active', 'error', 'deploying', 'cleaning'],
    },
    clearMaintenance: {
      on: 'clearMaintenance',
      in: ['enroll', 'manageable', 'available', 'active', 'error', 'deploying', 'cleaning'],
    },
    assign: { on: 'assign', in: 'available' },
    syncPower: { on: 'syncPower', in: ['manageable', 'available', 'active', 'rescue'] },
    destroy: { on: 'destroy', in: ['enroll', 'manageable', 'adopt_failed'], to: 'gone' },
  },
  timers: { powerSync: { every: '1h', raise: 'syncPower' } },
});
