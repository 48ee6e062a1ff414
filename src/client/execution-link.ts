/** Where a person looks at a workflow in Temporal's UI; its id where no UI is known. */
export function executionLink(uiUrl: string | undefined, namespace: string, workflowId: string): string {
  return uiUrl ? `${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}` : workflowId;
}
