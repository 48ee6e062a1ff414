/** The address of a workflow in Temporal's UI, or its id where no UI is known. */
export function executionLink(uiUrl: string | undefined, namespace: string, workflowId: string): string {
  return uiUrl ? `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}` : workflowId;
}
