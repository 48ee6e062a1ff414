import type { ELK as Elk, ElkExtendedEdge, ElkNode } from 'elkjs';
import { createRequire } from 'node:module';
import type { AnyEntity } from '../definition/entity.js';
import { displayEvent, displayState } from '../definition/display-name.js';
import { stateArrows, type ArrowCause, type StateArrow } from '../definition/state-arrows.js';
import { optionalPackage } from '../packages/optional-package.js';
import type { Diagram, DrawnArrow, DrawnState } from './diagram.js';
import { diagramHash } from './kept-diagrams.js';

/** How wide a character is at most on average, in pixels: of the name of a state, and of the words of an arrow. */
const [STATE_CHARACTER, ARROW_CHARACTER] = [8, 6.3];
const [STATE_HEIGHT, LEAST_WIDTH] = [46, 108];
const [LINE_HEIGHT, LABEL_MARGIN] = [14, 4];
/** The line beneath the words of an arrow, for what the page counts. */
const COUNT_LINE = 14;

const OPTIONS: Readonly<Record<string, string>> = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.spacing.nodeNodeBetweenLayers': '20',
  'elk.spacing.nodeNode': '20',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '10',
  'elk.spacing.edgeLabel': '4',
  'elk.layered.edgeLabels.sideSelection': 'SMART_DOWN',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.padding': '[top=16,left=16,bottom=16,right=16]',
};

/** Up to so many states are placed by the way that gives the straightest lines: with 40, it takes a minute. */
const FEW_STATES = 25;

/**
 * Lays out the state diagram of a declaration. Only what builds does that: it takes the package `elkjs`, which nothing that
 * serves needs.
 * @throws MissingPackage when `elkjs` is not installed
 */
export async function layOut(entity: AnyEntity): Promise<Diagram> {
  const elk = loadElk();
  const arrows = stateArrows(entity);
  const children = Object.keys(entity.states).map((name): ElkNode => {
    const width = Math.max(LEAST_WIDTH, displayState(entity, name).length * STATE_CHARACTER + 28);
    return { id: name, width, height: STATE_HEIGHT };
  });
  const edges = arrows.map((arrow, index): ElkExtendedEdge => {
    const lines = linesOf(entity, arrow);
    const width = Math.max(...lines.map((line) => line.length)) * ARROW_CHARACTER + 2 * LABEL_MARGIN;
    const height = lines.length * LINE_HEIGHT + COUNT_LINE;
    return {
      ...{ id: String(index), sources: [arrow.from], targets: [arrow.to] },
      labels: [{ id: `${index}`, text: lines.join(' '), width, height }],
    };
  });
  const placement = children.length <= FEW_STATES ? 'NETWORK_SIMPLEX' : 'BRANDES_KOEPF';
  const layoutOptions = { ...OPTIONS, 'elk.layered.nodePlacement.strategy': placement };
  const graph: ElkNode = { id: entity.name, layoutOptions, children, edges };
  const placed = await elk.layout(graph);
  return {
    type: entity.name,
    hash: diagramHash(entity),
    size: [round(placed.width), round(placed.height)],
    states: (placed.children ?? []).map((node) => drawnState(entity, node)),
    arrows: arrows.map((arrow, index) => drawnArrow(entity, arrow, placed.edges![index]!)),
  };
}

const ELK = {
  name: 'elkjs',
  use: 'this diagram was not laid out by a build, and Reeve lays diagrams out with it',
  flags: '--save-dev',
};
const require = createRequire(import.meta.url);

function loadElk(): Elk {
  const bundled = optionalPackage(
    ELK,
    () => require('elkjs/lib/elk.bundled.js') as { readonly default: new () => Elk },
  );
  return new bundled.default();
}

function drawnState(entity: AnyEntity, { id, x, y, width, height }: ElkNode): DrawnState {
  const { stability, health, waiting, initial, ending } = entity.states[id]!;
  return {
    ...{
      name: id,
      label: displayState(entity, id),
      stability,
      health,
      waiting: waiting === true,
      initial: initial === true,
    },
    ...(ending !== undefined && { ending }),
    at: [round(x), round(y)],
    size: [round(width), round(height)],
  };
}

function drawnArrow(entity: AnyEntity, arrow: StateArrow, { sections = [], labels = [] }: ElkExtendedEdge): DrawnArrow {
  const path = sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint]);
  const [label] = labels;
  return {
    ...{ from: arrow.from, to: arrow.to },
    actions: arrow.causes.flatMap(({ action }) => action ?? []),
    lines: linesOf(entity, arrow),
    path: path.map(({ x, y }) => [round(x), round(y)] as const),
    labelAt: [round(label?.x), round(label?.y)],
    labelSize: [round(label?.width), round(label?.height)],
  };
}

function linesOf(entity: AnyEntity, { causes }: StateArrow): readonly string[] {
  return [...new Set(causes.map((cause) => lineOf(entity, cause)))];
}

/** Stands for attempts that are used up. */
const USED_UP = '×';

/** The event is what people know; that it has guards is shown, and which in its description. Of an automatic action there is only its name. */
function lineOf(entity: AnyEntity, { action, event }: ArrowCause): string {
  if (event !== undefined) return `${displayEvent(entity, event)}${entity.events[event]?.when ? ' […]' : ''}`;
  return action === undefined ? USED_UP : `» ${action}`;
}

function round(value = 0): number {
  return Math.round(value * 10) / 10;
}
