import { expect, it } from 'vitest';
import { cancelOffer } from '../../src/page/actions/cancel-offer.js';

it('a cancel that was refused is asked for again, whatever the view (S4.7)', () => {
  expect(cancelOffer(false)).toBe('Cancel the operation');
  expect(cancelOffer(false, 'Cancel')).toBe('Cancel');
  expect(cancelOffer(true)).toBe('Ask again to cancel');
  expect(cancelOffer(true, 'Cancel')).toBe('Ask again to cancel');
});
