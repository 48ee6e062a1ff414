import { names } from '../../activities/dns/contract.js';
import { implementActions } from '../../src/definition/index.js';
import { DnsRecord } from './definition.js';

export const dnsRecord = implementActions(DnsRecord, {
  begin: async (record, { params }) => {
    record.properties.address = params.address;
    return record.goTo('Publishing');
  },
  publish: async (record) => {
    const { address } = record.properties;
    if (!address) throw new Error('The record was never given an address.');
    const { fqdn } = await record.call(names.publish, { name: record.key, address: address.host, port: address.port });
    record.properties.fqdn = fqdn;
    return record.goTo('Ready');
  },
  cleanUp: async (record) => {
    await record.call(names.withdraw, { name: record.key });
    return record.goTo('Failed');
  },
  beginDeletion: async (record) => record.goTo('Deleting'),
  withdraw: async (record) => {
    await record.call(names.withdraw, { name: record.key });
    return record.goTo('Deleted');
  },
});
