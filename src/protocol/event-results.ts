/** The results of events. S5.1, S5.5 */
export const EVENT_RESULTS = ['success', 'failed', 'rejected', 'canceled'] as const;

export type EventResult = (typeof EVENT_RESULTS)[number];

/** The row of an event, which has a result as soon as the event has ended. */
export interface WithResult {
  readonly '@reeve.result'?: EventResult;
}
