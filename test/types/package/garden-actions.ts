/** Actions, and functions that several actions share, as a package exports them. */
import { implementActions, type Action, type ActionContext, type ResourceContext } from 'reeve/definition';
import { entityWorkflows, entityWorkflowsWith } from 'reeve/workflows';
import { Garden, Plant, water } from './garden.js';

export const pourOne = (app: ResourceContext) => app.call(water.pour, { litres: 1 });
export const readPlant = (app: ResourceContext, key: string) => app.read(Plant, key);
export const reserveBoth = (app: ResourceContext) =>
  app.reserveAll([
    [Plant, 'one'],
    [Garden, 'two'],
  ]);
export const pickAndWait = (app: ResourceContext, key: string) =>
  app.raiseAndWait(Plant, key, 'pick', { within: '1m' });
export const leaveTo = (app: ActionContext<typeof Plant, 'grow'>) => app.goTo('Grown');
export const leavesOf = ({ links, properties, subordinates }: ActionContext<typeof Plant, 'grow'>) => ({
  links,
  properties,
  subordinates,
});
export const close: Action<typeof Garden, 'close'> = async (app) => app.goTo('Closed');

export const plant = implementActions(Plant, {
  plant: async (app, { params }) => {
    app.links.garden = params.garden;
    return app.goTo('Growing');
  },
  grow: async (app) => {
    app.properties.height = (await pourOne(app)).left;
    return leaveTo(app);
  },
  pick: async (app) => app.goTo('Gone'),
  wither: async (app) => app.goTo('Withered'),
});

export const garden = implementActions(Garden, {
  fill: async (app) => {
    app.create(Plant, 'one', 'plant', { garden: app.key }, { role: 'tree' });
    return app.goTo('Full');
  },
  close,
  tick: async () => undefined,
});

export const implementations = [plant, garden] as const;
export const workflowsWith = entityWorkflowsWith({}, plant, garden);
export default entityWorkflows(plant, garden);
