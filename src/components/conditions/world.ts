import { z } from 'zod';
import { maker } from '../description/written.js';
import { asking } from './asking.js';
import { conditions } from './resource.js';

/*
 * Conditions about the world, asked anew each time. W3
 */

const property = z.object({ property: z.string() });
/** Tells whether an environment variable of the host is set. */
export const IS_PROPERTY_SET = asking('IsPropertySet', property, conditions.propertySet);
export const isPropertySet = maker('IsPropertySet', property);

const page = z.object({
  url: z.string(),
  status: z.int().default(200),
  /** Those that are right. Empty: all are. */
  mimeTypes: z.array(z.string()).default([]),
  /** The smallest size of a right page, in bytes. */
  minimumSize: z.int().nonnegative().default(0),
});
/** Tells whether a page is served as expected. */
export const LIVENESS_PAGE = asking('LivenessPage', page, conditions.pageLive);
export const livenessPage = maker('LivenessPage', page);

const file = z.object({
  file: z.string(),
  /** In bytes. */
  minimumSize: z.int().nonnegative().default(0),
});
/** Tells whether a file is there, and large enough. */
export const FILE_EXISTS = asking('FileExists', file, conditions.fileExists);
export const fileExists = maker('FileExists', file);

const host = z.object({ hostname: z.string() });
/** Tells whether a host's name can be resolved. */
export const HOST_EXISTS = asking('HostExists', host, conditions.hostExists);
export const hostExists = maker('HostExists', host);

const database = z.object({ url: z.string() });
/** Tells whether a database takes a connection. */
export const DATABASE_OPEN = asking('DatabaseOpen', database, conditions.databaseOpen);
export const databaseOpen = maker('DatabaseOpen', database);
/** Tells whether a database answers. */
export const DATABASE_LIVE = asking('DatabaseLive', database, conditions.databaseLive);
export const databaseLive = maker('DatabaseLive', database);
