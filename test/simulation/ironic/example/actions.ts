import type { z } from 'zod';
import {
  implementActions,
  type AnswerAddress,
  type PropertiesOf,
  type ResourceContext,
} from '../../../../src/definition/index.js';
import { agent, bmc, conductor } from './contract.js';
import { Node, type stepSchema } from './definition.js';

type Step = z.output<typeof stepSchema>;
type Target = NonNullable<PropertiesOf<typeof Node>['target']>;
type Self = ResourceContext & { readonly properties: PropertiesOf<typeof Node> };

/** How long the agent has: longer than the deadline of the states that wait for it. */
const WITHIN = '1h';

const CLEANING: readonly Step[] = [
  { by: 'agent', name: 'erase devices' },
  { by: 'conductor', name: 'reset settings' },
];
const DEPLOYING: readonly Step[] = [
  { by: 'conductor', name: 'prepare' },
  { by: 'agent', name: 'write image' },
  { by: 'conductor', name: 'boot from disk' },
];

/** Notes what is to be done, and to which state it leads. */
function plan({ properties }: Self, target: Target, steps: readonly Step[]): void {
  properties.target = target;
  properties.steps = [...steps];
  properties.next = 0;
}

/** Does the steps that are left, until one is up to the agent or an operator. */
async function work(self: Self, callBack: () => AnswerAddress): Promise<'done' | 'wait' | 'hold'> {
  for (;;) {
    const step = self.properties.steps[self.properties.next];
    if (!step) return 'done';
    self.properties.next++;
    if (step.by === 'hold') return 'hold';
    if (step.by === 'agent') {
      await self.call(agent.run, { node: self.key, step: step.name, callBack: callBack() });
      return 'wait';
    }
    await self.call(conductor.run, { node: self.key, step: step.name });
  }
}

/** Asks the agent, which has been waiting for an operator, to go on. */
async function goOn(self: Self, callBack: AnswerAddress): Promise<void> {
  await self.call(agent.run, { node: self.key, step: 'go on', callBack });
}

export const node = implementActions(Node, {
  startVerifying: async (self) => {
    plan(self, 'manageable', []);
    return self.goTo('verifying');
  },
  backToManageable: async (self) => self.goTo('manageable'),
  startInspecting: async (self, { params }) => {
    plan(self, 'manageable', params.steps ?? [{ by: 'agent', name: 'inspect' }]);
    return self.goTo('inspecting');
  },
  startProviding: async (self, { params }) => {
    plan(self, 'available', params.steps ?? CLEANING);
    return self.goTo('cleaning');
  },
  startCleaning: async (self, { params }) => {
    plan(self, 'manageable', params.steps ?? CLEANING);
    return self.goTo('cleaning');
  },
  startAdopting: async (self, { params }) => {
    plan(self, 'active', params.steps ?? [{ by: 'conductor', name: 'adopt' }]);
    self.properties.image = params.image;
    return self.goTo('adopting');
  },
  startDeploying: async (self, { params }) => {
    plan(self, 'active', params.steps ?? DEPLOYING);
    self.properties.image = params.image;
    return self.goTo('deploying');
  },
  startRebuilding: async (self, { params }) => {
    plan(self, 'active', params.steps ?? DEPLOYING);
    self.properties.image = params.image ?? self.properties.image;
    return self.goTo('deploying');
  },
  startDeleting: async (self, { params }) => {
    plan(self, 'available', params.steps ?? [{ by: 'conductor', name: 'tear down' }]);
    return self.goTo('deleting');
  },
  startRescuing: async (self, { params }) => {
    plan(self, 'rescue', params.steps ?? [{ by: 'agent', name: 'rescue' }]);
    return self.goTo('rescuing');
  },
  startUnrescuing: async (self, { params }) => {
    plan(self, 'active', params.steps ?? [{ by: 'conductor', name: 'boot from disk' }]);
    return self.goTo('unrescuing');
  },
  startServicing: async (self, { params }) => {
    plan(self, 'active', params.steps ?? [{ by: 'agent', name: 'update firmware' }]);
    return self.goTo('servicing');
  },
  unholdDeploy: async (self) => {
    await goOn(self, self.answerBy('resume', { within: WITHIN }));
    return self.goTo('wait_call_back');
  },
  unholdClean: async (self) => {
    await goOn(self, self.answerBy('resume', { within: WITHIN }));
    return self.goTo('clean_wait');
  },
  unholdService: async (self) => {
    await goOn(self, self.answerBy('resume', { within: WITHIN }));
    return self.goTo('service_wait');
  },
  abortDeploy: async (self) => self.goTo('deploy_failed'),
  abortClean: async (self) => self.goTo('clean_failed'),
  abortInspect: async (self) => self.goTo('inspect_failed'),
  abortRescue: async (self) => self.goTo('rescue_failed'),
  abortService: async (self) => self.goTo('service_failed'),
  leaveService: async (self) => self.goTo('active'),

  verify: async (self) => {
    const { address } = self.properties;
    self.properties.vendor = (await self.call(bmc.verify, { node: self.key, address })).vendor;
    return self.goTo('manageable');
  },
  inspect: async (self) => {
    const end = await work(self, () => self.answerBy('resume', { within: WITHIN }));
    return self.goTo(end === 'wait' ? 'inspect_wait' : 'manageable');
  },
  clean: async (self) => {
    const end = await work(self, () => self.answerBy('resume', { within: WITHIN }));
    if (end !== 'done') return self.goTo(end === 'wait' ? 'clean_wait' : 'clean_hold');
    return self.goTo(self.properties.target === 'manageable' ? 'manageable' : 'available');
  },
  deploy: async (self) => {
    const end = await work(self, () => self.answerBy('resume', { within: WITHIN }));
    if (end !== 'done') return self.goTo(end === 'wait' ? 'wait_call_back' : 'deploy_hold');
    await self.call(bmc.setPower, { node: self.key, on: true });
    return self.goTo('active');
  },
  tearDown: async (self) => {
    await work(self, () => self.answerBy('resume', { within: WITHIN }));
    await self.call(bmc.setPower, { node: self.key, on: false });
    self.properties.image = undefined;
    self.links.instance = undefined;
    plan(self, 'available', CLEANING);
    return self.goTo('cleaning');
  },
  adopt: async (self) => {
    await work(self, () => self.answerBy('resume', { within: WITHIN }));
    return self.goTo('active');
  },
  rescue: async (self) => {
    const end = await work(self, () => self.answerBy('resume', { within: WITHIN }));
    return self.goTo(end === 'wait' ? 'rescue_wait' : 'rescue');
  },
  unrescue: async (self) => {
    await work(self, () => self.answerBy('resume', { within: WITHIN }));
    return self.goTo('active');
  },
  service: async (self) => {
    const end = await work(self, () => self.answerBy('resume', { within: WITHIN }));
    if (end !== 'done') return self.goTo(end === 'wait' ? 'service_wait' : 'service_hold');
    return self.goTo('active');
  },

  resumeDeploy: async (self) => self.goTo('deploying'),
  resumeClean: async (self) => self.goTo('cleaning'),
  resumeInspect: async (self) => self.goTo('inspecting'),
  resumeRescue: async (self) => self.goTo('rescuing'),
  resumeService: async (self) => self.goTo('servicing'),
  holdDeploy: async (self) => self.goTo('deploy_hold'),
  holdClean: async (self) => self.goTo('clean_hold'),
  holdService: async (self) => self.goTo('service_hold'),
  waitService: async (self) => self.goTo('service_wait'),
  doneInspect: async (self) => self.goTo('manageable'),
  failDeploy: async (self) => self.goTo('deploy_failed'),
  failClean: async (self) => self.goTo('clean_failed'),
  failInspect: async (self) => self.goTo('inspect_failed'),
  failRescue: async (self) => self.goTo('rescue_failed'),
  failService: async (self) => self.goTo('service_failed'),

  setMaintenance: async (self, { params }) => {
    self.properties.maintenance = true;
    self.properties.reason = params.reason;
  },
  clearMaintenance: async (self) => {
    self.properties.maintenance = false;
    self.properties.reason = undefined;
  },
  assign: async (self, { params }) => {
    self.links.instance = params.instance;
  },
  syncPower: async (self) => {
    self.properties.isOn = (await self.call(bmc.isOn, { node: self.key })).on;
  },
  destroy: async (self) => self.goTo('gone'),
});
