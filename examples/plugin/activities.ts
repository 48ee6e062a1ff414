import { ApplicationFailure } from '@temporalio/activity';

/** An activity of yours. */
export async function pay(customer: string): Promise<string> {
  if (customer === 'bob') throw ApplicationFailure.nonRetryable('The card was declined.');
  return `receipt-${customer}`;
}
