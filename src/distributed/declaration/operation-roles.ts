/**
 * Describes who may do what with the operations of a type: one of the roles is enough. What is left out is for operators only. An operation
 * belongs to no tenant, so only those who act for all tenants may do anything with it. S6.5
 */
export interface OperationRoles {
  readonly start?: readonly string[];
  /** Read, list and follow them. */
  readonly read?: readonly string[];
  /** Pause, resume, limit and cancel them. */
  readonly operate?: readonly string[];
}
