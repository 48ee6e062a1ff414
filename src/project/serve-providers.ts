/*
 * The process that makes the calls of the resources that a project's package.json names: `serve-providers FOLDER`. A worker starts it, and
 * it ends with that.
 */
import { findCallbacks } from '../stack/callbacks.js';
import { openLog } from '../telemetry/log.js';
import { temporalLogger } from '../telemetry/temporal-logger.js';
import { describeStray } from '../temporal/describe-stray.js';
import { serveCalls } from '../temporal/providers/serve.js';
import { Project } from './project.js';

const project = await Project.find(process.argv[2]);
const log = openLog('providers', process.env);
serveCalls({
  resources: await project.resources(),
  callbacks: await findCallbacks(),
  log: temporalLogger(log, 'WARN'),
  stray: (thrown, call) => {
    const { message, attributes } = describeStray(thrown, call);
    log.error(attributes, message);
  },
});
