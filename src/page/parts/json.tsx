/** A value as people read it: texts and numbers as they are, anything else as JSON. */
export function Value({ value }: { readonly value: unknown }) {
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
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
