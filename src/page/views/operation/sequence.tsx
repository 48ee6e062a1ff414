import type { CallRow, EventRow } from '../../api/shapes.js';
import { eventInWords, stateInWords } from '../../parts/badge.js';
import { Empty } from '../../parts/notice.js';
import { lasting } from '../../parts/time.js';
import { CALLER, lineInWords, OUTSIDE, sequenceOf, type Line } from './sequence-of.js';

const LANE = 158;
const TIME = 64;
const ROW = 30;
const HEAD = 52;
/** The characters for which a lane, and the way between two lanes, has space. */
const LANE_CHARACTERS = 23;

/** An operation as messages between its entities: time runs down, and each entity has a line. */
export function SequenceDrawing({
  events,
  calls,
}: {
  readonly events: readonly EventRow[];
  readonly calls: readonly CallRow[];
}) {
  const { lanes, lines, more } = sequenceOf(events, calls, { event: eventInWords, state: stateInWords });
  const [first] = lines;
  if (!first) return <Empty>It is not in the store yet.</Empty>;
  const width = TIME + lanes.length * LANE;
  const height = HEAD + lines.length * ROW + 12;
  const x = (lane: string) => TIME + lanes.indexOf(lane) * LANE + LANE / 2;
  return (
    <>
      <div class="sequence-frame" role="region" aria-label="The sequence of the operation" tabIndex={0}>
        <svg
          class="sequence"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label={`${lines.length} steps of ${lanes.length} participants, in words below`}
        >
          <defs>
            <marker id="seq-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path class="tip" d="M0 0 8 4 0 8Z" />
            </marker>
            <marker id="seq-tip-bad" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path class="tip bad" d="M0 0 8 4 0 8Z" />
            </marker>
          </defs>
          {lanes.map((lane) => (
            <Lane key={lane} name={lane} x={x(lane)} height={height} />
          ))}
          {lines.map((line, index) => (
            <LineShape
              key={index}
              line={line}
              y={HEAD + index * ROW + ROW / 2}
              ways={[x(line.from), x(line.to)]}
              after={line.at === lines[index - 1]?.at ? undefined : line.at - first.at}
            />
          ))}
        </svg>
      </div>
      {(more.lines > 0 || more.lanes > 0) && (
        <p class="hint">
          And {more.lines} more steps
          {more.lanes > 0 && <>, and {more.lanes} more entities</>}. The tree has all of them.
        </p>
      )}
      <details class="commands">
        <summary>In words</summary>
        <ol class="sequence-words">
          {lines.map((line, index) => (
            <li key={index} class={line.failed ? 'bad' : ''}>
              <span class="faint">+{lasting(line.at - first.at)}</span> {lineInWords(line)}
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

function Lane({ name, x, height }: { readonly name: string; readonly x: number; readonly height: number }) {
  const isEntity = name !== CALLER && name !== OUTSIDE;
  const slash = name.indexOf('/');
  return (
    <g class={isEntity ? 'lane' : 'lane outer'}>
      <line x1={x} y1={HEAD - 8} x2={x} y2={height - 4} />
      <rect x={x - LANE / 2 + 6} y={4} width={LANE - 12} height={HEAD - 12} rx={7} />
      {isEntity ? (
        <>
          <text class="kind" x={x} y={19}>
            {short(name.slice(0, slash))}
          </text>
          <text x={x} y={35}>
            {short(name.slice(slash + 1))}
          </text>
        </>
      ) : (
        <text x={x} y={28}>
          {name}
        </text>
      )}
      <title>{name}</title>
    </g>
  );
}

interface LineProps {
  readonly line: Line;
  readonly y: number;
  readonly ways: readonly [from: number, to: number];
  /** How long after the first one, in milliseconds, where that is to be shown. */
  readonly after: number | undefined;
}

function LineShape({ line, y, ways: [from, to], after }: LineProps) {
  const { kind, failed, text } = line;
  return (
    <g class={`step ${kind} ${failed ? 'bad' : ''}`}>
      {after !== undefined && (
        <text class="after" x={TIME - 8} y={y + 4}>
          +{lasting(after)}
        </text>
      )}
      {kind === 'state' ? <State x={from} y={y} text={text} /> : <Arrow line={line} y={y} from={from} to={to} />}
      <title>{`${lineInWords(line)}, +${lasting(after ?? 0)}`}</title>
    </g>
  );
}

function State({ x, y, text }: { readonly x: number; readonly y: number; readonly text: string }) {
  const said = short(text);
  const width = Math.min(LANE - 10, said.length * 7.2 + 20);
  return (
    <>
      <rect x={x - width / 2} y={y - 11} width={width} height={22} rx={11} />
      <text x={x} y={y + 4}>
        {said}
      </text>
    </>
  );
}

function Arrow({
  line: { text, failed },
  y,
  from,
  to,
}: {
  readonly line: Line;
  readonly y: number;
  readonly from: number;
  readonly to: number;
}) {
  const tip = `url(#seq-tip${failed ? '-bad' : ''})`;
  if (from === to) {
    return (
      <>
        <path d={`M${from} ${y - 6}h16v12h-14`} marker-end={tip} />
        <text class="beside" x={from + 24} y={y + 4}>
          {short(text)}
        </text>
      </>
    );
  }
  const way = Math.sign(to - from);
  // The text stands where the way begins.
  const isLong = Math.abs(to - from) > LANE;
  return (
    <>
      <line x1={from} y1={y + 7} x2={to - 2 * way} y2={y + 7} marker-end={tip} />
      {isLong ? (
        <text class={way > 0 ? 'beside' : 'before'} x={from + way * 10} y={y + 2}>
          {short(text, 2 * LANE_CHARACTERS)}
        </text>
      ) : (
        <text x={from + (way * LANE) / 2} y={y + 2}>
          {short(text)}
        </text>
      )}
    </>
  );
}

function short(text: string, most = LANE_CHARACTERS): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
