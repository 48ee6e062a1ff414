/** Describes who may do what with the entities of a type: one of the roles is enough. What is left out is for operators only. S6.5 */
export interface EntityRoles {
  /** Read, list and follow them, and the operations that were opened on them. */
  readonly read?: readonly string[];
  /** Raise events that name no roles of their own, create without an event, and cancel the operations that these open. */
  readonly raise?: readonly string[];
  /** Help where nothing continues by itself: run an exhausted action again, mark a successor as lost. */
  readonly operate?: readonly string[];
}
