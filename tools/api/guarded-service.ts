import { runService } from '../../src/project/service.js';
import { controlPlaneProject } from '../../workers/project.js';

/* A management service that lets those without a key ask as often as others, since each call is also asked without one. */
const rate = [500, 1_000] as const;
await runService(await controlPlaneProject(), { rates: { caller: rate, nobody: rate } });
