import { z } from 'zod';
import { blockOf, firewallRule, type FirewallRule } from '../../activities/values/firewall-rule.js';
import { resourceName } from '../../activities/values/resource-name.js';

/** The rules of a new server: clients on the same machine may connect. */
export const FIRST_RULES: Readonly<Record<string, FirewallRule>> = { local: { first: '127.0.0.1', last: '127.0.0.1' } };

const addresses = z
  .strictObject({ name: resourceName, first: z.ipv4(), last: z.ipv4().optional() })
  .transform(({ name, first, last = first }) => ({ name, rule: { first, last } }));

const block = z
  .strictObject({ name: resourceName, cidr: z.cidrv4() })
  .transform(({ name, cidr }) => ({ name, rule: blockOf(cidr) }));

/** A rule with its name. It is an address, a first and a last one, or a block like `10.1.0.0/16`. */
export const namedRule = z.union([addresses, block]).pipe(z.strictObject({ name: resourceName, rule: firewallRule }));
