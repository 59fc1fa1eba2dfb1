export interface EngineUi {
  readonly namespace: string;
  /** Base URL of the Temporal UI; null when there is none. */
  readonly uiUrl: string | null;
}

/** Link to one workflow in the Temporal UI; null when no UI is known. */
export function workflowLink(ui: EngineUi, workflowId: string): string | null {
  const base = workflowsUrl(ui);
  return base === null ? null : `${base}/${encodeURIComponent(workflowId)}`;
}

/** The list of all workflows there. */
export function workflowsUrl({ namespace, uiUrl }: EngineUi): string | null {
  if (uiUrl === null) return null;
  return `${uiUrl.replace(/\/$/, '')}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}
