import Elk from 'elkjs/lib/elk.bundled.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Draws the flowcharts of the pages (```mermaid) when the site is built, so that a reader's browser loads nothing for them. GitHub
 * draws the same text. It takes the part of Mermaid's flowcharts that the pages use:
 *
 *   flowchart LR
 *     subgraph worker [a worker]          a group, until `end`
 *       a[text] b(text) c([text]) d[(text)]    a box, a call, a state, a database; `<br>` begins a line
 *     end
 *     a --> b -->|label| c -.-> d         arrows; a dotted one is a message or a wait
 */
const NODE = /^(\w+)(?:\[\((.+?)\)\]|\(\[(.+?)\]\)|\[(.+?)\]|\((.+?)\))?/;
const ARROW = /^\s*(-->|-\.->)(?:\|([^|]*)\|)?\s*/;
const KINDS = ['store', 'state', 'box', 'call'];
/** Beyond it, a page would make the words too small to read. */
const WIDEST = 860;
const [CHARACTER, LABEL_CHARACTER, LINE] = [7.4, 6.4, 18];
const OPTIONS = {
  ...{ 'elk.algorithm': 'layered', 'elk.hierarchyHandling': 'INCLUDE_CHILDREN', 'elk.edgeRouting': 'ORTHOGONAL' },
  ...{
    'elk.json.shapeCoords': 'ROOT',
    'elk.json.edgeCoords': 'ROOT',
    'elk.padding': '[top=8,left=8,bottom=8,right=8]',
  },
  ...{ 'elk.spacing.nodeNode': '22', 'elk.layered.spacing.nodeNodeBetweenLayers': '34', 'elk.spacing.edgeLabel': '4' },
  ...{ 'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES', 'elk.spacing.edgeNode': '14' },
};

/** Draws all flowcharts of a folder. @returns the SVG of each, by its text */
export async function drawingsOf(folder) {
  const drawings = new Map();
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.md'))) {
    const page = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
    for (const [, text] of page.matchAll(/^```mermaid\n(.*?)^```$/gms)) {
      try {
        drawings.set(text.trim(), await draw(text.trim()));
      } catch (error) {
        throw new Error(`The drawing of ${file} cannot be drawn: ${error.message}`, { cause: error });
      }
    }
  }
  return drawings;
}

async function draw(text) {
  const { direction, groups, nodes, edges } = parse(text);
  const children = (parent) => [
    ...[...groups.values()].filter((group) => group.parent === parent).map(groupOf),
    ...[...nodes.values()].filter((node) => node.parent === parent).map(sized),
  ];
  const groupOf = ({ id, label }) => ({
    ...{ id, label, children: children(id) },
    layoutOptions: { 'elk.padding': '[top=34,left=14,bottom=14,right=14]' },
  });
  const placed = await new Elk().layout({
    ...{ id: 'root', children: children(undefined) },
    layoutOptions: { ...OPTIONS, 'elk.direction': direction === 'LR' ? 'RIGHT' : 'DOWN' },
    edges: edges.map(({ from, to, label, dotted }, index) => ({
      ...{ id: `e${index}`, sources: [from], targets: [to], dotted },
      labels: label ? [{ id: `l${index}`, text: label, width: label.length * LABEL_CHARACTER + 8, height: LINE }] : [],
    })),
  });
  if (placed.width > WIDEST)
    throw new Error(`it is ${Math.ceil(placed.width)} wide, and a page ${WIDEST}: try TD, or <br> in texts.`);
  const title = [...nodes.values()].map(({ lines }) => lines.join(' ')).join(', ');
  return [
    `<svg class="drawing" role="img" viewBox="0 0 ${Math.ceil(placed.width)} ${Math.ceil(placed.height)}"`,
    ` width="${Math.ceil(placed.width)}" style="min-width: ${Math.ceil(Math.min(placed.width, 560))}px" aria-label="${escaped(`A drawing of: ${title}`)}">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">',
    '<path d="M0 0 8 4 0 8z"/></marker></defs>',
    ...placed.children.map((node) => shape(node, nodes)),
    ...placed.edges.map(arrow),
    '</svg>',
  ].join('');
}

function parse(text) {
  const [head, ...lines] = text.split('\n').map((line) => line.trim());
  const direction = /^flowchart (LR|TD)$/.exec(head)?.[1];
  if (!direction) throw new Error(`it begins with '${head}' and not with 'flowchart LR' or 'flowchart TD'.`);
  const [groups, nodes, edges, open] = [new Map(), new Map(), [], []];
  const node = (rest) => {
    const found = NODE.exec(rest);
    if (!found) throw new Error(`'${rest}' is no node.`);
    const [all, id, ...texts] = found;
    const at = texts.findIndex((each) => each !== undefined);
    if (at >= 0) nodes.set(id, { id, kind: KINDS[at], lines: texts[at].split('<br>'), parent: open.at(-1) });
    return { id, rest: rest.slice(all.length) };
  };
  for (const line of lines.filter((each) => each !== '')) {
    const group = /^subgraph (\w+) \[(.+)\]$/.exec(line);
    if (group) {
      groups.set(group[1], { id: group[1], label: group[2], parent: open.at(-1) });
      open.push(group[1]);
    } else if (line === 'end') open.pop();
    else {
      let { id: from, rest } = node(line);
      for (let found = ARROW.exec(rest); found; found = ARROW.exec(rest)) {
        const next = node(rest.slice(found[0].length));
        edges.push({ from, to: next.id, label: found[2], dotted: found[1] === '-.->' });
        from = next.id;
        rest = next.rest;
      }
      if (rest.trim() !== '') throw new Error(`'${rest}' is not understood.`);
    }
  }
  const unknown = edges.flatMap(({ from, to }) => [from, to]).find((id) => !nodes.has(id) && !groups.has(id));
  if (unknown) throw new Error(`'${unknown}' has no text.`);
  return { direction, groups, nodes, edges };
}

function sized({ id, kind, lines }) {
  const width = Math.max(72, Math.max(...lines.map((line) => line.length)) * CHARACTER + 28);
  return { id, width, height: lines.length * LINE + (kind === 'store' ? 26 : 18) };
}

function shape(node, nodes) {
  const { id, x, y, width, height, children } = node;
  if (children?.length) {
    const label = `<text x="${x + 12}" y="${y + 21}">${escaped(node.label)}</text>`;
    const frame = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>${label}`;
    return `<g class="group">${frame}</g>${children.map((child) => shape(child, nodes)).join('')}`;
  }
  const { kind, lines } = nodes.get(id);
  const middle = y + height / 2 + (kind === 'store' ? 4 : 0) - ((lines.length - 1) * LINE) / 2 + 5;
  const words = lines.map(
    (line, index) => `<text x="${x + width / 2}" y="${middle + index * LINE}">${escaped(line)}</text>`,
  );
  return `<g class="${kind}">${outline(kind, x, y, width, height)}${words.join('')}</g>`;
}

function outline(kind, x, y, width, height) {
  if (kind !== 'store') {
    const radius = { state: height / 2, call: 4, box: 6 }[kind];
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`;
  }
  const [bend, middle] = [6, width / 2];
  const side = `a${middle} ${bend} 0 0 0 ${width} 0`;
  return (
    `<path d="M${x} ${y + bend}v${height - 2 * bend}${side}v${2 * bend - height}"/>` +
    `<ellipse cx="${x + middle}" cy="${y + bend}" rx="${middle}" ry="${bend}"/>`
  );
}

function arrow({ sections = [], labels = [], dotted }) {
  const lines = sections.map(({ startPoint, bendPoints = [], endPoint }) => {
    const points = [startPoint, ...bendPoints, endPoint].map(({ x, y }) => `${x},${y}`);
    return `<polyline points="${points.join(' ')}" marker-end="url(#tip)"/>`;
  });
  const words = labels.map(
    ({ text, x, y, width }) => `<text x="${x + width / 2}" y="${y + 13}">${escaped(text)}</text>`,
  );
  return `<g class="${dotted ? 'arrow dotted' : 'arrow'}">${lines.join('')}${words.join('')}</g>`;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
