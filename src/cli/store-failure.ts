import { databasePlace, databaseRemedy } from '../stack/database.js';
import { readingFailure } from '../store/index.js';
import { messageOf } from '../definition/thrown.js';
import { Unreachable } from './unreachable.js';

/** Tells what is wrong with the store and how to mend it; nothing where something else has failed. */
export function storeFailure(thrown: unknown, url: string): Unreachable | undefined {
  const store = `The store at ${databasePlace(url)}`;
  switch (readingFailure(thrown)) {
    case undefined:
      return undefined;
    case 'outdated':
      return new Unreachable(
        `${store} is not what this version needs: ${messageOf(thrown)}. Run 'reeve store migrate'.`,
      );
    case 'away':
      return new Unreachable(`${store} cannot be reached: ${messageOf(thrown)}. ${databaseRemedy()}`);
    case 'refused':
      return new Unreachable(`${store} refuses: ${messageOf(thrown)}. ${databaseRemedy()}`);
    case 'too_much':
      return new Unreachable(`${store} refuses: ${messageOf(thrown)}. Run 'reeve doctor' to find the cause.`);
  }
}
