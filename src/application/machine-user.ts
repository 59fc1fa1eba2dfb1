import { userInfo } from 'node:os';
import { localPrincipal, type Principal } from '../domain/principal.js';

/** The name under which this machine's user acts, on pages, through the API without a key, and on command lines alike. */
export const machineUser: string = nameOfUser();

/** This machine's user, asking without a key. */
export const machinePrincipal: Principal = { ...localPrincipal, name: machineUser };

/** A container's user may have a number only. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
