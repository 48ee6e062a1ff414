/** Stands between the id of a raise and the number of the attempt that raises it again. */
const AGAIN = '~';

/** The id with which an attempt raises a rejected event again. */
export function raisedAgain(id: string, attempt: number): string {
  return `${id}${AGAIN}${attempt}`;
}

/** The id with which it was raised first. */
export function firstRaise(id: string): string {
  return id.replace(/~\d+$/, '');
}
