import { hash53 } from '../hash.js';

/** A place in the feed of one store. Everything up to it has been read. */
export interface Position {
  /** Which store it is. A store that was restored, or that takes the place of another one, is another one. */
  readonly store: string;
  readonly number: number;
}

/** How a position is written. */
export const POSITION = /^([0-9a-z]{1,12})-(\d{1,15})$/;

/** `1x8k2-1234`: for others, a position is a text that they keep. */
export function writePosition({ store, number }: Position): string {
  return `${store}-${number}`;
}

/** Gives `undefined` for what is not a position. */
export function readPosition(text: string): Position | undefined {
  const [, store, number] = POSITION.exec(text) ?? [];
  return store === undefined ? undefined : { store, number: Number(number) };
}

/** The short name of a store, made of what PostgreSQL calls it. */
export function storeName(identity: string): string {
  return hash53(identity).toString(36);
}
