import type { OperationRoles } from '../../../src/distributed/index.js';

/** Tells who may do what with the operations on tables. */
export const TABLE_ROLES: OperationRoles = {
  start: ['owner', 'operator'],
  read: ['reader', 'owner', 'operator'],
  operate: ['owner', 'operator'],
};
