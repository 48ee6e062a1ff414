import { At } from './time.js';

/** Years from 2001 to 2286, in milliseconds. */
const TIMES = { from: 1e12, until: 1e13 };

/** A value as people read it: texts and numbers as they are, what its name tells to be a time as that, anything else as JSON. */
function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (typeof value === 'number' && /(At|Time)$/.test(name) && value > TIMES.from && value < TIMES.until) {
    return <At at={value} />;
  }
  if (value === null || value === undefined) return <span class="faint">none</span>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'string' || typeof value === 'number') return <span class="mono">{String(value)}</span>;
  if (Array.isArray(value) && value.length === 0) return <span class="faint">none</span>;
  if (isFlat(value)) {
    return (
      <span class="mono">
        {Object.entries(value)
          .map(([name, part]) => `${name} ${String(part)}`)
          .join(', ')}
      </span>
    );
  }
  return (
    <pre class="json" tabIndex={0}>
      {JSON.stringify(value, undefined, 2)}
    </pre>
  );
}

function isFlat(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const parts = Object.values(value);
  return parts.length <= 4 && parts.every((part) => part === null || typeof part !== 'object');
}

/** Names with their values. */
export function Facts({ of }: { readonly of: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="facts">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Value name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
