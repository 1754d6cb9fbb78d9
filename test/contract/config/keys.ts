import { type Role, roles, rolesOfMainAccount } from "../engine/settings.ts";
import type { Fault } from "./faults.ts";

/** The environment, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that a role's key is read from where the configuration names none. */
export const variableOf = (role: Role): string =>
  role === "full" ? "CONTRACT_API_KEY" : `CONTRACT_KEY_${role.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;

/**
 * The keys themselves, from the environment, and what is wrong with them. A variable that the configuration names must be set;
 * others may be missing.
 */
export function resolveKeys(
  named: Partial<Record<Role, string>>,
  env: Environment,
): { keys: Partial<Record<Role, string>>; faults: Fault[] } {
  const keys: Partial<Record<Role, string>> = {};
  const faults: Fault[] = [];
  for (const role of roles) {
    const key = env[named[role] ?? defaultVariable(role, env)] ?? "";
    const from =
      named[role] === undefined ? `is read from ${variableOf(role)}, which` : "names a variable that";
    const blame = (says: string) => faults.push({ path: ["keys", role], says });
    if (key === "") {
      if (named[role] !== undefined) blame(`${from} is not set: set it, or take the line out`);
    } else if (!/^[!-~]+$/.test(key)) {
      blame(`${from} holds characters that no key has: spaces, line breaks or others that are not ASCII`);
    } else {
      const twin = roles.find((other) => keys[other] === key && mustDiffer(role, other));
      if (twin === undefined) keys[role] = key;
      else blame(`${from} holds the same key as keys.${twin}: each of the two must be a key of its own`);
    }
  }
  return { keys, faults };
}

/** The variable that holds a role's key where the configuration names none: for the main one CONTRACT_KEY_FULL will do too. */
export const defaultVariable = (role: Role, env: Environment): string =>
  role === "full" && !env.CONTRACT_API_KEY && env.CONTRACT_KEY_FULL ? "CONTRACT_KEY_FULL" : variableOf(role);

/** The variables that keys were read from, by role. */
export const variablesOf = (
  keys: Partial<Record<Role, string>>,
  named: Partial<Record<Role, string>>,
  env: Environment,
): Partial<Record<Role, string>> =>
  Object.fromEntries(
    (Object.keys(keys) as Role[]).map((role) => [role, named[role] ?? defaultVariable(role, env)]),
  );

const mustDiffer = (one: Role, other: Role): boolean =>
  one === "full" ||
  other === "full" ||
  (rolesOfMainAccount.includes(one) && rolesOfMainAccount.includes(other));
