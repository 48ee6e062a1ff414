import { describe, expect, it } from 'vitest';
import { connect } from '../../src/temporal/connection.js';

describe('a connection to Temporal', () => {
  it('names the address where nobody answers, and keeps the cause', async () => {
    const failed: unknown = await connect({ address: '127.0.0.1:1', connectTimeout: 300 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(failed).toMatchObject({
      message: expect.stringMatching(/^The Temporal service at 127\.0\.0\.1:1 cannot be reached: .*\.$/),
    });
    expect((failed as Error).cause).toBeInstanceOf(Error);
  });
});
