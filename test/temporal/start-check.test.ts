import { ActivityFailure, RetryState, TimeoutFailure, TimeoutType } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { unchecked } from '../../src/temporal/distributed/unchecked.js';

const failed = (cause: Error) => new ActivityFailure('failed', 'check', '1', RetryState.TIMEOUT, 'worker', cause);

describe('a start that could not be checked (I8)', () => {
  it('says that the check has taken too long', () => {
    const late = failed(new TimeoutFailure('activity StartToClose timeout', undefined, TimeoutType.START_TO_CLOSE));
    expect(unchecked({ type: 'validate', target: 'orders.sales/line_items' }, late)).toEqual({
      code: 'check_failed',
      message:
        "'validate' cannot start on orders.sales/line_items: its check gave no answer within 12s. What it asks for is slow or locked, or no worker makes checks. Try again later.",
    });
  });

  it('says how the check has failed', () => {
    expect(unchecked({ type: 'sow', target: 'field' }, failed(new Error('The gate is shut.')))).toMatchObject({
      message: "'sow' cannot start on field: its check has failed: The gate is shut.",
    });
  });
});
