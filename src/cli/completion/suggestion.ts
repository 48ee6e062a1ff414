/** What can stand at the place of the word that is being written. */
export interface Suggestion {
  readonly value: string;
  /** For people, where the shell shows it. */
  readonly about?: string;
}
