import type { Principal, Role } from '../domain/principal.js';

/** Who looks at a page: whose key it is, and the name they act under. */
export interface Visitor extends Principal {
  /** False on this machine while there is no key, and nobody said who they are. */
  readonly signedIn: boolean;
}

export function mayAs({ roles }: Pick<Visitor, 'roles'>, role: Role): boolean {
  return roles.includes(role);
}
