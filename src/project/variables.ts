/*
 * The environment variables that Reeve's processes read, for the reference. The check of the reference looks for one that is read and not here.
 */

/** A process that reads a variable. */
export type Reader = 'worker' | 'service' | 'executor' | 'command line' | '`reeve up`';

export interface Variable {
  readonly of: readonly Reader[] | 'all';
  /** Says in a clause what it sets. Markdown. */
  readonly sets: string;
  readonly default?: string;
}

const SERVERS = ['worker', 'service'] as const;

/** The variables by what they are about, in the order of the reference. */
export const VARIABLES: Readonly<Record<string, Readonly<Record<string, Variable>>>> = {
  'Where things are': {
    DATABASE_URL: { of: 'all', sets: 'the PostgreSQL of the store', default: 'that of `reeve up`, or no store' },
    REEVE_DATA_DIR: {
      of: ['command line', '`reeve up`'],
      sets: 'the data directory of `reeve up`',
      default: '`.reeve`',
    },
    REEVE_TASK_QUEUE: {
      of: 'all',
      sets: 'the task queue of workers and new entities; `--task-queue` overrides it',
      default: '`taskQueue` of package.json, or `reeve`',
    },
    TEMPORAL_EXECUTABLE: {
      of: ['`reeve up`'],
      sets: 'the path of the `temporal` command to run as the embedded Temporal',
      default: 'the one on the PATH, or a download',
    },
    TEMPORAL_UI_URL: {
      of: ['service'],
      sets: "the address of Temporal's UI, to which answers and the page link",
      default: 'no links',
    },
    XDG_CACHE_HOME: {
      of: ['`reeve up`'],
      sets: 'the folder in which a downloaded Temporal is kept',
      default: '`~/.cache`',
    },
  },
  'Connecting to Temporal': {
    TEMPORAL_ADDRESS: { of: 'all', sets: 'host and port of the Temporal service', default: 'that of `reeve up`' },
    TEMPORAL_NAMESPACE: { of: 'all', sets: 'the namespace', default: '`default`' },
    TEMPORAL_API_KEY: { of: 'all', sets: 'an API key; it turns TLS on' },
    TEMPORAL_TLS: { of: 'all', sets: '`true` for TLS without an API key' },
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: { of: 'all', sets: 'the CA certificate, if it is not a public one' },
    TEMPORAL_TLS_SERVER_NAME: { of: 'all', sets: 'the name in the certificate, if it is not that of the address' },
    TEMPORAL_TLS_CLIENT_CERT_PATH: { of: 'all', sets: 'the client certificate (mTLS)' },
    TEMPORAL_TLS_CLIENT_KEY_PATH: { of: 'all', sets: 'the key of the client certificate' },
    TEMPORAL_CONFIG_FILE: { of: 'all', sets: "the file of profiles, as for Temporal's own clients" },
    TEMPORAL_PROFILE: { of: 'all', sets: 'the profile in that file', default: '`default`' },
  },
  'The management service': {
    REEVE_API_HOST: {
      of: ['service'],
      sets: 'the address at which it listens; without authentication, only a loopback address',
      default: '`127.0.0.1`',
    },
    REEVE_API_PORT: {
      of: ['service'],
      sets: 'its port',
      default: '`8234`, then that of the last start; a free one if it is taken',
    },
    REEVE_API_TLS_CERT_FILE: { of: ['service'], sets: 'the certificate for HTTPS, as a PEM file' },
    REEVE_API_TLS_KEY_FILE: { of: ['service'], sets: 'the key of that certificate, as a PEM file' },
    REEVE_API: {
      of: ['command line'],
      sets: 'the address of the service that commands call',
      default: 'the own process',
    },
    REEVE_API_KEY: { of: ['command line'], sets: 'the API key or JSON Web Token with which commands call it' },
  },
  'Who may call it': {
    REEVE_API_KEYS: {
      of: ['service', 'command line'],
      sets: 'the file with the hashes of API keys, which `reeve keys` writes',
    },
    REEVE_JWT_KEYS: { of: ['service'], sets: "the issuer's public keys (JWKS): a file, or an https address" },
    REEVE_JWT_ISSUER: { of: ['service'], sets: 'the required `iss` of a token' },
    REEVE_JWT_AUDIENCE: { of: ['service'], sets: 'the required `aud` of a token' },
    REEVE_JWT_ALGORITHMS: {
      of: ['service'],
      sets: 'the permitted algorithms, all asymmetric',
      default: '`RS256 ES256 EdDSA`',
    },
    REEVE_JWT_ROLES_CLAIM: { of: ['service'], sets: 'the claim with the roles', default: '`roles`' },
    REEVE_JWT_TENANT_CLAIM: { of: ['service'], sets: 'the claim with the tenant', default: '`tenant`' },
    REEVE_CALLBACK_URL: {
      of: SERVERS,
      sets: 'the address of the service as those see it who answer calls from outside',
      default: 'that of `reeve up`',
    },
    REEVE_CALLBACK_KEYS: {
      of: SERVERS,
      sets: 'the keys that sign the addresses of such answers: base64, at least 32 bytes each, separated by commas',
      default: 'made by `reeve up`',
    },
  },
  Encryption: {
    REEVE_PAYLOAD_KEYS: {
      of: 'all',
      sets: 'the file with the keys that encrypt payloads, which `reeve payload-keys` writes',
      default: 'no encryption',
    },
    REEVE_PAYLOAD_COMPRESSION: {
      of: 'all',
      sets: '`deflate` to compress payloads of 512 bytes or more before they are encrypted',
      default: 'none',
    },
    REEVE_PAYLOAD_PLAINTEXT: {
      of: ['worker'],
      sets: '`read` to accept payloads that are not encrypted, while a fleet moves to encryption',
    },
    REEVE_CODEC_ORIGINS: {
      of: ['service'],
      sets: "the sites whose pages may use the codec server, separated by commas: that of Temporal's UI",
      default: 'that of `reeve up`',
    },
  },
  'Builds of the workflow code': {
    REEVE_BUILD: {
      of: ['worker'],
      sets: 'the name of its build; `auto` for the hash of the bundle',
      default: 'no build',
    },
    REEVE_DEPLOYMENT: {
      of: ['worker', 'command line'],
      sets: "the name that all builds share: Temporal's worker deployment",
      default: 'the name of the task queue',
    },
    REEVE_BUNDLE: {
      of: ['worker'],
      sets: 'the file of the workflow code; `reeve up` sets it for workers of an earlier build',
      default: '`bundle` of package.json',
    },
    TEMPORAL_WORKER_BUILD_ID: {
      of: ['worker'],
      sets: "the build, where REEVE_BUILD is not set: Temporal's Worker Controller sets it",
    },
    TEMPORAL_DEPLOYMENT_NAME: {
      of: ['worker'],
      sets: "the deployment, where REEVE_DEPLOYMENT is not set: Temporal's Worker Controller sets it",
    },
  },
  'The store': {
    REEVE_CHANGES_RETENTION: { of: SERVERS, sets: 'for how long the feed keeps changes', default: '`7d`' },
    REEVE_REJECTIONS_RETENTION: {
      of: SERVERS,
      sets: 'for how long the store keeps events that were rejected at once',
      default: '`30d`',
    },
    REEVE_REPLICA_TO: { of: ['command line'], sets: 'the database of the replica, in place of `reeve replica --to`' },
  },
  Observing: {
    REEVE_LOG_LEVEL: { of: SERVERS, sets: 'the lowest level that is logged', default: '`info`' },
    REEVE_METRICS_PORT: { of: ['worker'], sets: 'the port of `/metrics`', default: 'not served' },
    REEVE_API_METRICS_PORT: { of: ['service'], sets: 'the port of `/metrics`', default: 'not served' },
    REEVE_METRICS_HOST: { of: SERVERS, sets: 'the address at which `/metrics` is served', default: '`127.0.0.1`' },
    REEVE_TEMPORAL_METRICS: {
      of: ['worker'],
      sets: 'host and port at which the metrics of the Temporal SDK are served',
      default: 'not served',
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      of: SERVERS,
      sets: 'a collector that takes traces by OTLP over HTTP',
      default: 'no traces',
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { of: SERVERS, sets: 'the same, for traces alone' },
    OTEL_SERVICE_NAME: {
      of: SERVERS,
      sets: 'the name of the process in traces',
      default: '`reeve-worker` or `reeve-service`',
    },
    NO_COLOR: { of: ['command line'], sets: 'any value turns colors off' },
  },
};
