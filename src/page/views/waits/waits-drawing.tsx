import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Explanation } from '../../api/shapes.js';
import { Badge, StateBadge } from '../../parts/badge.js';
import { EntityLink } from '../../parts/links.js';
import { partsOfId } from '../../router.js';
import { typeOf } from '../../session/session.js';
import { chainOf, type Link } from './wait-chain.js';
import { layOut } from './layout.js';
import { sentencesOf } from './sentences.js';

/** Draws who waits for whom, and for what. Nothing where nobody waits for anybody: the list says the rest. S5.4 */
export function WaitsDrawing({ explanation }: { readonly explanation: Explanation }) {
  const frame = useRef<HTMLDivElement>(null);
  const room = useSignal(0);
  const id = useId();
  useLayoutEffect(() => {
    if (!frame.current) return undefined;
    const observer = new ResizeObserver(([entry]) => (room.value = Math.floor(entry!.contentRect.width)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const chain = chainOf(explanation, leadsAstray);
  const { width, height, boxes, lines } = layOut(chain, room.value);
  if (lines.length === 0) return <div ref={frame} />;
  const closing = chain.across.filter(({ circular }) => circular);
  const inCircle = (id: string) => chain.circle.has(id) || closing.some(({ to }) => to === id);
  return (
    <div ref={frame} class="waits">
      <svg
        {...{ width, height, viewBox: `0 0 ${width} ${height}` }}
        role="group"
        aria-label="Who waits for whom"
        aria-describedby={id}
      >
        {lines.map(({ path, tip, circular, across }) => (
          <g key={path} class={`wait-line ${circular ? 'bad' : ''} ${across ? 'across' : ''}`}>
            {across && <title>{`${across.from} waits for ${across.to} ${across.why}`}</title>}
            <path class="way" d={path} />
            <path class="tip" d={tip} />
          </g>
        ))}
        {boxes.map(({ link, captioned, ...place }) => (
          <foreignObject key={link.id} {...place}>
            {captioned && (
              <p class="wait-why" title={link.why}>
                {link.why}
              </p>
            )}
            <WaitBox link={link} circular={inCircle(link.id)} />
          </foreignObject>
        ))}
      </svg>
      <p class="hidden" id={id}>
        {sentencesOf(chain).join(' ')}
      </p>
      {closing.length > 0 && (
        <p class="line bad">A deadlock: each entity in the circle of red lines waits for the next one.</p>
      )}
    </div>
  );
}

/** Its links are those of the list below it, where the Tab key goes. */
function WaitBox({ link, circular }: { readonly link: Link; readonly circular: boolean }) {
  const { id, title, isEntity, state, said, trouble } = link;
  return (
    <div class={`wait-box ${circular ? 'bad' : (trouble ?? '')}`} title={title}>
      {isEntity ? <EntityLink id={id} tabIndex={-1} /> : <span class="mono">{title}</span>}
      {state && <StateBadge type={partsOfId(id)[0]} {...state} />}
      {said && <Badge tone={said.tone}>{said.words}</Badge>}
    </div>
  );
}

/** Tells by the declaration whether an event leads to error states only. */
function leadsAstray(entity: string, event: string): boolean {
  const type = typeOf(partsOfId(entity)[0]);
  const targets = type?.actions.filter(({ on }) => on === event).flatMap(({ to }) => to) ?? [];
  const isError = (state: string) => type?.states.find(({ name }) => name === state)?.health === 'error';
  return targets.length > 0 && targets.every(isError);
}
