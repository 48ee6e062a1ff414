/* Asks the process of this container whether it takes work: `node health.mjs PORT`. Its exit code says so. */
const scheme = process.env.REEVE_API_TLS_CERT_FILE ? 'https' : 'http';
// It asks itself, by an address that no certificate names.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const response = await fetch(`${scheme}://127.0.0.1:${process.argv[2]}/health/ready`).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
