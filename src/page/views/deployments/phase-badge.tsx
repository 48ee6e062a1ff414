import { Badge, type Tone } from '../../parts/badge.js';

const TONES: Readonly<Record<string, Tone>> = {
  ...{ created: 'busy', deployed: 'busy', starting: 'busy', ending: 'busy' },
  ...{ up: 'good', ended: 'quiet', detached: 'quiet', lost: 'bad', 'to come': 'quiet' },
};

/** The phase of a component, or of a deployment. `end` is the type of its end, where that is known. */
export function PhaseBadge({ phase, end }: { readonly phase: string; readonly end?: string }) {
  const bad = end !== undefined && end !== 'normal';
  return (
    <Badge tone={bad ? 'bad' : (TONES[phase] ?? 'quiet')}>
      {phase}
      {end !== undefined && ` ${end}`}
    </Badge>
  );
}
