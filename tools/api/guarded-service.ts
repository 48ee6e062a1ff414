import { runService } from '../../src/project/service.js';
import { DEFAULT_SETTINGS } from '../../src/service/settings.js';
import { controlPlaneProject } from '../../workers/project.js';

/* A management service that lets those without a key ask as often as others, since each call is also asked without one. */
const { caller } = DEFAULT_SETTINGS.rates;
await runService(await controlPlaneProject(), { rates: { caller, nobody: caller } });
