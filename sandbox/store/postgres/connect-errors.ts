import { UserError } from "../../../lib/user-error.ts";
import type { DatabaseUrl } from "./database-url.ts";
import { codeOf, isUnavailable } from "./errors.ts";

/** An attempt to connect, or to use the connection, that failed. */
export interface Failure {
  error: unknown;
  isConnected: boolean;
  hasPassword: boolean;
}

/** What is wrong, and what to do. */
type Problem = (shown: string, reason: string) => [message: string, hint: string];

const noPassword: Problem = (shown) => [
  `there is no password for the database ${shown}`,
  "Set PGPASSWORD, or PGPASSFILE.",
];
const noTls: Problem = (shown, reason) => [
  `the connection to the database ${shown} cannot be encrypted: ${reason}`,
  "Check PGSSLMODE and PGSSLROOTCERT.",
];
const notReached: Problem = (shown, reason) => [
  `the database ${shown} cannot be reached: ${reason}`,
  "Check that it is running, and its host and port.",
];

/** By the codes of PostgreSQL. */
const problems: Readonly<Record<string, Problem>> = {
  "28P01": (shown, reason) => [
    `the database ${shown} rejects the password: ${reason}`,
    "Check PGUSER and PGPASSWORD.",
  ],
  "28000": (shown, reason) => [
    `the database ${shown} rejects the user: ${reason}`,
    "Check PGUSER and PGSSLMODE, and pg_hba.conf of the server.",
  ],
  "3D000": (shown) => [`the database ${shown} does not exist`, "Create it, or correct its name in the URL."],
  "42501": (shown, reason) => [
    `the user of the database ${shown} may not create tables: ${reason}`,
    "Grant CREATE on the database, once.",
  ],
};

/** Whether the server has no TLS, or a certificate that is not trusted. */
export const isTlsError = (error: unknown): boolean =>
  /CERT|SELF_SIGNED|^ERR_(TLS|SSL)/.test(codeOf(error)) || /support SSL/.test(reasonOf(error));

/** The error for people; a bug stays what it is. */
export function userErrorOf(failure: Failure, { shown }: DatabaseUrl): unknown {
  const { error } = failure;
  const problem = error instanceof UserError ? undefined : problemOf(failure);
  if (problem === undefined) return error;
  const [message, hint] = problem(shown, reasonOf(error));
  return new UserError(message, { hint, cause: error });
}

function problemOf({ error, isConnected, hasPassword }: Failure): Problem | undefined {
  const code = codeOf(error);
  const isAboutPassword = code === "28P01" || /password must be a string/.test(reasonOf(error));
  if (isAboutPassword && !hasPassword) return noPassword;
  if (isTlsError(error)) return noTls;
  return problems[code] ?? (isUnavailable(error) || !isConnected ? notReached : undefined);
}

/** The first of several attempts, such as on IPv6 and IPv4. It never has the URL. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message || codeOf(error) || error.name : String(error);
}
