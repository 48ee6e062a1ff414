/** An audited action for people: an event that is named like the access, as in `create create`, is told once. S6.5 */
export function actionWords(action: string): string {
  const [access, ...event] = action.split(' ');
  return access === event.join(' ') ? access : action;
}
