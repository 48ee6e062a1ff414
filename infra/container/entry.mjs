/*
 * An image starts one of these: `worker`, `executor`, `service` or `prepare`. This is the one place that names the programs; images,
 * compose and Kubernetes name only the words.
 */
const COMMAND = '../../dist/src/cli/main.js';
const PROGRAMS = { worker: ['worker'], executor: ['executor'], service: ['service'], prepare: ['prepare'] };

const [name, ...rest] = process.argv.slice(2);
if (!Object.hasOwn(PROGRAMS, name ?? '')) {
  console.error(`This image starts one of: ${Object.keys(PROGRAMS).join(', ')}. It was told '${name ?? ''}'.`);
  process.exit(2);
}
process.argv.splice(2, process.argv.length, ...PROGRAMS[name], ...rest);
await import(COMMAND);
