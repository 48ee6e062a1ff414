/** The OData condition that an action in the audit trail only reads. */
export const AUDITED_READS = "(startswith(action,'list') or startswith(action,'read') or action eq 'callbacks')";
