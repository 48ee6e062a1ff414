/** An instance of a distributed operation as it stands. The record with the later time is the newer one, and the end is the last. S5.2 */
export interface InstanceRecord {
  readonly kind: 'instance';
  readonly life: string;
  /** `orders.sales/line_items/buildIndex/3` */
  readonly name: string;
  readonly target: string;
  readonly type: string;
  readonly instance: number;
  readonly object?: string;
  /** The request id of its operation. */
  readonly operation: string;
  /** `running`, `paused`, `stopping`, `tidying`, `completing`, `leaving` or `ended`. */
  readonly state: string;
  readonly outcome?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** All that it says of itself, for readers while no worker answers. */
  readonly reading: object;
  /** When it said this, in milliseconds since 1970. */
  readonly at: number;
}
