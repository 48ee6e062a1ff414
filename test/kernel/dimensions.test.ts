import { expect, it } from 'vitest';
import { dimensionsOf } from '../../src/kernel/rules/dimensions.js';
import { Box } from '../entities/box.js';
import { Site } from '../entities/site.js';
import { Puppet } from '../support/entities.js';

it('the dimensions of an entity come from its key, its properties and its links (S1.1)', () => {
  const { snapshot } = new Puppet(Site, 'shop', { size: 2, application: 'app' });
  expect(dimensionsOf(Site, snapshot)).toEqual({ site_id: 'shop', data_cluster_id: 'west', application: 'app' });
});

it('a dimension without a value is left out, and a value that is no text is written as JSON (S1.1)', () => {
  const { snapshot } = new Puppet(Site, 'shop', { size: 2 });
  const bySize = { ...Site, dimensions: { size: 'properties.size', application: 'links.application' } };
  expect(dimensionsOf(bySize, snapshot)).toEqual({ size: '2' });
  expect(dimensionsOf(Box, new Puppet(Box).snapshot)).toEqual({});
});
