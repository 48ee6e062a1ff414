import { all, pathOf, same, sights, type Law } from './look.js';

/** step.2: what is due is taken in the order of (due, path), and nothing that is due is left behind. */
export const takesWhatIsDue: Law = () => (look) => {
  const { before, input, after } = look;
  if (after.agenda.length > 0) return 'a small tree does too much in one step';
  if (input.kind !== 'due') return undefined;
  for (const component of all(after)) {
    const { id, due } = component;
    const isLeft = due !== undefined && due <= input.at && same(before.components[id], component);
    if (isLeft) return `component ${id} stays due`;
  }
  const readers = sights(look).flatMap(({ id, seen }) =>
    seen.saw === 'value' || seen.saw === 'nothing' ? [before.components[id]] : [],
  );
  const order = readers.flatMap((each) =>
    each?.due === undefined ? [] : [{ due: each.due, path: pathOf(before, each) }],
  );
  const isRight = order.every((each, index) => {
    const last = order[index - 1];
    return !last || last.due < each.due || (last.due === each.due && last.path <= each.path);
  });
  return isRight ? undefined : `readers go on in a wrong order: ${order.map(({ path }) => path).join(', ')}`;
};

/** Nobody starts for ever: what starts waits for a call, for code of one's own, or for a time. */
export const getsOn: Law = () => (look) => {
  const { after } = look;
  const waits = new Set<number>();
  for (const { id, calls, handlers, due } of all(after)) {
    if (!calls && !handlers && due === undefined) continue;
    for (let at: number | undefined = id; at !== undefined; at = after.components[at]?.parent) waits.add(at);
  }
  for (const component of all(after)) {
    const { id, phase } = component;
    if ((phase === 'starting' || phase === 'ending') && !waits.has(id))
      return `${pathOf(after, component)} is ${phase} for ever`;
  }
  return undefined;
};
