import type { Problem } from "../../lib/schema-errors.ts";
import { type Role, roles, rolesOfMainAccount } from "../engine/settings.ts";

/** The environment, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The default environment variable of a role's key. */
export const variableOf = (role: Role): string =>
  role === "full" ? "CONTRACT_API_KEY" : `CONTRACT_KEY_${role.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;

/**
 * Reads the keys from the environment. A variable that the configuration names must be set; default ones are optional.
 * @param named the variables that the configuration names
 */
export function resolveKeys(
  named: Partial<Record<Role, string>>,
  env: Environment,
): { keys: Partial<Record<Role, string>>; problems: Problem[] } {
  const keys: Partial<Record<Role, string>> = {};
  const problems: Problem[] = [];
  for (const role of roles) {
    const key = env[named[role] ?? defaultVariable(role, env)] ?? "";
    const subject =
      named[role] === undefined ? `is read from ${variableOf(role)}, which` : "names a variable that";
    const report = (message: string) =>
      problems.push({ path: ["keys", role], message: `${subject} ${message}` });
    if (key === "") {
      if (named[role] !== undefined) report("is not set: set it, or remove the line");
    } else if (!/^[!-~]+$/.test(key)) {
      report("contains characters that a key cannot have, such as spaces, line breaks or non-ASCII");
    } else {
      const twin = roles.find((other) => keys[other] === key && mustDiffer(role, other));
      if (twin === undefined) keys[role] = key;
      else report(`has the same key as keys.${twin}: they must differ`);
    }
  }
  return { keys, problems };
}

/** The default variable of a role's key; for `full`, `CONTRACT_KEY_FULL` if only that is set. */
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
