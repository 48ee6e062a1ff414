import type { CallRow } from '../api/shapes.js';
import { At } from './time.js';

/** Shows who has answered calls from outside, and when, to those who may read the audit trail. */
export function Answered({ calls }: { readonly calls: readonly CallRow[] }) {
  return (
    <>
      {calls.map(({ call_name: call, end_time: end, '@reeve.caller': caller }, index) =>
        caller === undefined ? null : (
          <span key={index} class="way-of">
            {call} answered by {caller}
            {end !== null && (
              <>
                {' '}
                at <At at={end} />
              </>
            )}
          </span>
        ),
      )}
    </>
  );
}
