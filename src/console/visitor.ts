/** What somebody may do here: look; decide reviews too; or run, stop and redrive as well. */
export const visitorRoles = ['viewer', 'reviewer', 'operator'] as const;
export type VisitorRole = (typeof visitorRoles)[number];

/** Who asks for a page. */
export interface Visitor {
  /** As the trail of reviews names them. */
  readonly name: string;
  readonly role: VisitorRole;
  /** Whose documents they may see; null: everybody's. */
  readonly tenant: string | null;
  /** False on this machine without a key, where nobody has to say who they are. */
  readonly signedIn: boolean;
}

/** A role includes those before it. */
export function mayAs({ role }: Visitor, needed: VisitorRole): boolean {
  return visitorRoles.indexOf(role) >= visitorRoles.indexOf(needed);
}
