import type { Connection } from '@temporalio/client';
import { EngineUnavailable } from '../../ports/engine.js';

/** Which versions of a worker deployment get work. */
export interface Routing {
  /** Null: versioned workers get no new work at all. */
  readonly current: string | null;
  /** Gets its share, in percent, of what begins anew. */
  readonly ramping: { readonly buildId: string; readonly percent: number } | null;
  /** Every version the server knows, newest first. */
  readonly versions: readonly { readonly buildId: string; readonly status: string }[];
}

type Service = Pick<
  Connection['workflowService'],
  'describeWorkerDeployment' | 'setWorkerDeploymentCurrentVersion' | 'setWorkerDeploymentRampingVersion'
>;
type Server = { readonly connection: { readonly workflowService: Service }; readonly namespace: string };

/** Words for temporal.api.enums.v1.WorkerDeploymentVersionStatus. */
const statuses = ['unknown', 'inactive', 'current', 'ramping', 'draining', 'drained', 'created'];

/** gRPC status of a deployment or version that the server does not know. */
const notFound = 5;

/** Null: no worker of this deployment ever polled. */
export async function describeDeployment(
  { connection, namespace }: Server,
  name: string,
): Promise<Routing | null> {
  try {
    const { workerDeploymentInfo: info } = await connection.workflowService.describeWorkerDeployment({
      namespace,
      deploymentName: name,
    });
    const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } =
      info?.routingConfig ?? {};
    return {
      current: currentDeploymentVersion?.buildId ?? null,
      ramping: rampingDeploymentVersion?.buildId
        ? { buildId: rampingDeploymentVersion.buildId, percent: rampingVersionPercentage ?? 0 }
        : null,
      versions: (info?.versionSummaries ?? []).map(({ deploymentVersion, status }) => ({
        buildId: deploymentVersion?.buildId ?? '',
        status: statuses[Number(status ?? 0)] ?? 'unknown',
      })),
    };
  } catch (error) {
    if ((error as { code?: unknown }).code === notFound) return null;
    throw error;
  }
}

/**
 * Gives a version all work, or `percent` of what begins anew. The server refuses a version whose workers do not poll
 * every queue that the current one serves.
 * @throws EngineUnavailable with the server's own reason
 */
export async function promote(
  { connection, namespace }: Server,
  { name, buildId }: { readonly name: string; readonly buildId: string },
  percent: number | null = null,
): Promise<void> {
  const version = { namespace, deploymentName: name, buildId, identity: 'endstop' };
  try {
    if (percent === null) await connection.workflowService.setWorkerDeploymentCurrentVersion(version);
    else
      await connection.workflowService.setWorkerDeploymentRampingVersion({ ...version, percentage: percent });
  } catch (error) {
    const { details } = error as { details?: unknown };
    const reason = typeof details === 'string' && details !== '' ? details : 'it does not answer';
    throw new EngineUnavailable(`Version ${buildId} of ${name} is not promoted: ${reason}.`);
  }
}
