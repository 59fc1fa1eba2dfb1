import type { VersioningBehavior } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';

/**
 * Options of a workflow type: any error fails the workflow, and this is what it does when a new version of the program
 * takes over. Workers without versions say nothing about that: a server refuses the answer of one that does.
 */
export function workflowOptions(versioningBehavior: VersioningBehavior) {
  return () => ({
    failureExceptionTypes: [Error],
    ...(isVersioned() ? { versioningBehavior } : {}),
  });
}

function isVersioned(): boolean {
  const version = workflowInfo().currentDeploymentVersion;
  return version !== undefined && version.deploymentName !== '';
}
