import { Box } from '../entities/box.js';
import { Puppet } from './entities.js';

/** A box that is being placed: an action of it runs. */
export function placingBox(): Puppet {
  const box = new Puppet(Box);
  box.raise('place', { label: 'x' });
  box.end('Placing');
  box.startAutomatic();
  return box;
}
