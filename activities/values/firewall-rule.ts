import { z } from 'zod';

/** The addresses that may connect, from the first to the last one. */
export const firewallRule = z
  .strictObject({ first: z.ipv4(), last: z.ipv4() })
  .refine(({ first, last }) => addressNumber(first) <= addressNumber(last), 'the first address is after the last one');

export type FirewallRule = z.output<typeof firewallRule>;

/** Tells whether one of the rules admits an address. Without rules, nobody is admitted. */
export function admits(rules: readonly FirewallRule[], address: string): boolean {
  const number = addressNumber(address);
  return rules.some(({ first, last }) => addressNumber(first) <= number && number <= addressNumber(last));
}

/** The rule for all addresses of a block like `10.1.0.0/16`. */
export function blockOf(cidr: string): FirewallRule {
  const [address = '', bits = ''] = cidr.split('/');
  const size = 2 ** (32 - Number(bits));
  const first = Math.floor(addressNumber(address) / size) * size;
  return { first: addressOf(first), last: addressOf(first + size - 1) };
}

function addressNumber(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function addressOf(number: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.');
}
