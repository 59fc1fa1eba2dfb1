/**
 * Evaluations run as tenants whose names begin like this. Nobody else submits under such a name, and what is asked of all
 * tenants leaves them out: they are measurements, not documents of anybody.
 */
export const evaluationPrefix = 'eval-';

export function isEvaluationTenant(tenant: string): boolean {
  return tenant.startsWith(evaluationPrefix);
}
