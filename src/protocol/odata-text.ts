/** Writes a text as it stands in an OData filter. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The condition that one of these columns has a text in it, whatever its case. */
export function hasText(text: string, columns: readonly string[]): string {
  const wanted = quoted(text.toLowerCase());
  return `(${columns.map((column) => `contains(tolower(${column}),${wanted})`).join(' or ')})`;
}

/**
 * The condition that an entity has a text in its name, its state, the event that is under way, or the code of an error. PostgreSQL reads all
 * entities for it, so it looks into one text of each, and for the event only where one is under way.
 */
export function entityHasText(text: string): string {
  const own = hasText(text, ["concat(key,concat(' ',concat(type,concat(' ',state))))"]);
  const event = `(operation ne null and ${hasText(text, ['current_operation/name'])})`;
  const errors = hasText(text, ['e/workflow_error/error_details']);
  return `(${own} or ${event} or events/any(e:${errors}))`;
}

/**
 * The condition that an event is a request to cancel one of these operations, and was refused. Only such a request is rejected after the
 * operation has begun and has the position of its first event. S4.7
 */
export function isRefusedCancel(operations: readonly string[]): string {
  const those = operations.map(quoted).join(',');
  return `request_id in (${those}) and workflow_position eq '1' and error ne null and error_reported eq false`;
}
