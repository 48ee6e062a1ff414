import { Client } from '@temporalio/client';
import { connect, ReeveClient } from 'reeve/client';
import { Website } from './website.js';

const { TEMPORAL_ADDRESS: address = 'localhost:7233', TEMPORAL_NAMESPACE: namespace = 'default' } = process.env;

/** Temporal's own client. The process has one connection, which all requests share. */
export const temporal = new Client({ connection: await connect({ address }), namespace });
/** Reeve's client, on the same connection. */
export const reeve = new ReeveClient({ client: temporal, entities: [Website] });
