import { Client } from '@temporalio/client';
import pino from 'pino';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication } from '../../src/service/application.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Backup, checksum, Website } from './sample.js';

/** A schema of JSON, as the document has it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly description?: string;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}

export interface OpenApiCall {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: JsonSchema;
  }[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

export interface OpenApi {
  readonly info: { readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiCall>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The OpenAPI document of a management service that has all parts, and serves the sample. Nothing is connected. */
export async function openApiDocument(): Promise<OpenApi> {
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const codec = { encode: async () => [], decode: async () => [] };
  const application = createApplication({
    reeve: new ReeveClient({ client, entities: [Website], components: [Backup], distributed: [checksum] }),
    modules: [{ name: 'hosting', version: 1, entities: [Website] }],
    log: pino({ level: 'silent' }),
    authenticator: { authenticate: async () => undefined },
    audit: { record: () => undefined },
    callbacks: { url: 'https://callbacks.example/api', keys: new CallbackKeys(Buffer.alloc(32).toString('base64')) },
    codec: { codec, namespace: 'default', origins: [] },
  });
  const answer = await application.fetch(new Request('http://127.0.0.1/openapi.json'));
  return (await answer.json()) as OpenApi;
}
