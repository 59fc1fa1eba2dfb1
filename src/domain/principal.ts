/** What somebody may do. `submit`: hand documents in; `review`: answer reviews; `operate`: what changes how the installation works; `metrics`: read /metrics, which counts all tenants, and nothing else. */
export const roles = ['submit', 'read', 'review', 'operate', 'metrics'] as const;
export type Role = (typeof roles)[number];

/** Who asks. Its name stands in the trail as the actor of what it changes. */
export interface Principal {
  /** `environment`: the key of the setting; `local`: this machine, asking without a key. */
  readonly keyId: string;
  readonly name: string;
  /** The only tenant whose data it sees; null: all of them. */
  readonly tenant: string | null;
  readonly roles: readonly Role[];
}

/** The holder of the key that the setting ENDSTOP_API_KEY holds. */
export const environmentPrincipal: Principal = {
  keyId: 'environment',
  name: 'environment',
  tenant: null,
  roles,
};

/** Whoever is on this machine, as long as there is no key. */
export const localPrincipal: Principal = { keyId: 'local', name: 'local', tenant: null, roles };

/** Names that no key may take: they say where a principal came from. */
export const reservedNames: readonly string[] = [environmentPrincipal.name, localPrincipal.name];
