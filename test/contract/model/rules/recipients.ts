import { accountOf, type Role } from "../../engine/settings.ts";
import type { Context, Json, ModelRequest } from "../world.ts";

/** The fields with recipients. */
export const recipientFields = ["to", "cc", "bcc"] as const;

/** The messages in the body of a send. */
export function messagesIn({ operation, body = {} }: ModelRequest): readonly Json[] {
  if (operation === "sendEmail") return [body];
  return operation === "sendBatch" ? (body.emails as Json[]) : [];
}

/** The recipients of a message in `to`, `cc` and `bcc`, each once. */
export const recipientsOf = (message: Json): string[] => [
  ...new Set(recipientFields.flatMap((field) => (message[field] ?? []) as string[])),
];

/**
 * The recipients that a response must list as suppressed, and those that it may: a bounce or a complaint can stop the sending to a
 * simulated recipient too, and whether an address is suppressed for other accounts is unspecified.
 */
export function suppressedOf(
  message: Json,
  key: Role,
  { fixtures: { suppressed = [], simulatorDomain } }: Context,
): { must: string[]; may: string[] } {
  const all = recipientsOf(message);
  const isStopped = (email: string): boolean => suppressed.includes(email);
  const canStop = (email: string): boolean =>
    email.endsWith(`@${simulatorDomain}`) && !email.startsWith("success@");
  return {
    must: accountOf(key) === "full" ? all.filter(isStopped) : [],
    may: all.filter((email) => isStopped(email) || canStop(email)),
  };
}
