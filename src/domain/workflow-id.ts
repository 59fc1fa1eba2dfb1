/** Ids of the workflows, from what they are about. One place, so that no caller spells them. */
export const workflowIds = {
  extraction: (key: string): string => `extraction/${key}`,
  fallback: (key: string, run: number): string => `fallback/${key}/${run}`,
  humanReview: (subject: string): string => `review/${subject}`,
  /** Also the batch id of the runs that a redrive starts. */
  redrive: (id: string): string => `redrive/${id}`,
  /** Also the batch id of the runs that a batch starts. */
  batch: (id: string): string => `batch/${id}`,
  bestEffort: (key: string, run: number): string => `best-effort/${key}/${run}`,
} as const;
