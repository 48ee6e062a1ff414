import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Loading, Notice } from './notice.js';

/** Shows a part whose code is loaded when it is first shown. `load` is always the same function. */
export function Later<Props extends object>({
  load,
  props,
}: {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
}) {
  const loaded = useSignal<{ readonly part?: ComponentType<Props>; readonly failed?: true }>({});
  useEffect(() => {
    void load().then(
      (part) => (loaded.value = { part }),
      () => (loaded.value = { failed: true }),
    );
  }, [load]);
  const { part: Part, failed } = loaded.value;
  if (failed) return <Notice tone="warn" title="This part of the page cannot be loaded. Reload the page." />;
  return Part ? <Part {...props} /> : <Loading />;
}
