import type { AnyComponent } from '../src/components/index.js';
import { Probation } from './probation/component.js';

/** What can be deployed to run on its own in the reference control plane. W1 */
export const controlPlaneComponents: readonly AnyComponent[] = [Probation];
