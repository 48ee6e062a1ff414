import { Badge } from '../../parts/badge.js';
import type { Tone } from '../../parts/tone.js';

const TONES: Readonly<Record<string, Tone>> = {
  ...{ created: 'busy', deployed: 'busy', starting: 'busy', ending: 'busy' },
  ...{ up: 'good', ended: 'quiet', detached: 'quiet', lost: 'bad', 'to come': 'quiet' },
};

interface Phase {
  readonly phase: string;
  /** The type of its end, where that is known. */
  readonly end?: string | null;
  readonly undeployed?: boolean | null | undefined;
}

/** The phase of a component, or of a deployment. */
export function PhaseBadge({ phase, end, undeployed }: Phase) {
  if (undeployed) return <Badge tone="bad">failed to deploy</Badge>;
  const bad = end && end !== 'normal';
  return (
    <Badge tone={bad ? 'bad' : (TONES[phase] ?? 'quiet')}>
      {phase}
      {end && ` ${end}`}
    </Badge>
  );
}
