/** Says that processes are there and do nothing. */
export function frozenWords(names: readonly string[]): string {
  const [is, it, does] = names.length === 1 ? ['is', 'it', 'it does'] : ['are', 'them', 'they do'];
  return `${names.join(', ')} ${is} frozen: a signal or a debugger has stopped ${it}, and ${does} nothing`;
}

/** The command that continues frozen workers, by their identities. */
export function continuing(identities: readonly string[]): string {
  return continuingProcesses(identities.map((identity) => Number.parseInt(identity, 10)));
}

/** The command that continues frozen processes. */
export function continuingProcesses(pids: readonly number[]): string {
  return `kill -CONT ${pids.join(' ')}`;
}
