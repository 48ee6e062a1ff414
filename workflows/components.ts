import type { AnyComponent } from '../src/components/index.js';
import { Probation } from './probation/component.js';

/** The components that can be deployed to run on their own in the reference control plane. W1 */
export const controlPlaneComponents: readonly AnyComponent[] = [Probation];
