/**
 * Describes who may do what with the deployments of a component: one of the roles is enough. What is left out is for operators only. S6.5
 */
export interface ComponentRoles {
  /** Deploy it. */
  readonly deploy?: readonly string[];
  /** Read, list and follow its deployments. */
  readonly read?: readonly string[];
  /** Ping and end its deployments, set attributes in them, and send them events. */
  readonly operate?: readonly string[];
}
