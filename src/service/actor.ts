/** Who asks. */
export interface Actor {
  readonly subject: string;
  readonly tenant?: string;
  readonly roles: readonly string[];
}
