/** A tool that a part of the verification needs. */
export interface Tool {
  readonly name: string;
  /** How to get it. */
  readonly remedy: string;
  isThere(): Promise<boolean>;
}

/** A part of the verification. */
export interface Part {
  readonly name: string;
  readonly title: string;
  readonly needs: readonly Tool[];
  /** Gives what is wrong. */
  run(home: string, report: (line: string) => void): Promise<readonly string[]>;
}
