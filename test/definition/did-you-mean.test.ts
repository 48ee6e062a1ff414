import { expect, it } from 'vitest';
import { didYouMean } from '../../src/definition/did-you-mean.js';

it('names what somebody may have meant, and nothing else', () => {
  const types = ['LogicalServer', 'LogicalDatabase', 'Alias', 'DnsRecord'];
  expect(didYouMean('logicalserver', types)).toBe(" Did you mean 'LogicalServer'?");
  expect(didYouMean('LogicalSevrer', types)).toBe(" Did you mean 'LogicalServer'?");
  expect(didYouMean('DnsRecrod', types)).toBe(" Did you mean 'DnsRecord'?");
  for (const given of ['Server', 'Box', '', 'x'.repeat(50)]) expect(didYouMean(given, types)).toBe('');
});
