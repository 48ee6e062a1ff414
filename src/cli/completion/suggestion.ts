/** A word that can stand in place of the one that is being typed. */
export interface Suggestion {
  readonly value: string;
  /** A description for people, where the shell shows it. */
  readonly about?: string;
}
