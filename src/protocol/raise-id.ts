/** Stands between the id of a raise and the number of times for which it came to nothing before. */
const AGAIN = '~';

/** The id with which an event is raised again, after it came to nothing under this one. */
export function raisedAgain(id: string): string {
  const first = firstRaise(id);
  const times = first === id ? 0 : Number(id.slice(first.length + AGAIN.length));
  return `${first}${AGAIN}${times + 1}`;
}

/** The id with which it was raised first. */
export function firstRaise(id: string): string {
  return id.replace(/~\d+$/, '');
}
