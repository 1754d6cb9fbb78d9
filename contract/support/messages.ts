import type { OperationId } from "../../generated/operations.ts";
import { configured, NotVerified } from "../engine/assert.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { bodyOf, idOf, requestOk } from "./assertions.ts";

/** The local parts of the simulated recipients (Simulated recipients). */
export type SimulatedRecipient = "success" | "bounce" | "complaint" | "suppressionlist";

export const simulatedRecipient = (tester: Tester, local: SimulatedRecipient = "success"): string =>
  `${local}@${configured(tester.settings.fixtures.simulatorDomain, "simulatorDomain")}`;

/** A new recipient address. */
export const newRecipient = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${configured(tester.settings.fixtures.recipientDomain, "recipientDomain")}`;

/** An address on the verified domain of the account. */
export const sender = (tester: Tester): string =>
  `contract@${configured(tester.settings.fixtures.domains?.verified, "domains.verified")}`;

/** A minimal message to the simulated recipient `success`, with overrides. */
export const message = (tester: Tester, changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  from: "from" in changes ? changes.from : sender(tester),
  to: "to" in changes ? changes.to : [simulatedRecipient(tester)],
  subject: `Contract check ${tester.run.unique()}`,
  text: "Sent by a check of the contract.",
  ...changes,
});

/** A message made from a template, with overrides. */
export function templateMessage(
  tester: Tester,
  { id, variables = {} }: { id: string; variables?: Record<string, unknown> | undefined },
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  const { subject: _, text: __, ...rest } = message(tester, changes);
  return { ...rest, template_id: id, variables };
}

/** A batch body. */
export const batchOf = (...messages: Record<string, unknown>[]): { emails: Record<string, unknown>[] } => ({
  emails: messages,
});

/** Sends a message and returns its id. */
export async function send(
  tester: Tester,
  changes: Record<string, unknown> = {},
  options: RequestOptions = {},
): Promise<string> {
  return idOf(await requestOk(tester, "sendEmail", { ...options, body: message(tester, changes) }));
}

/** Schedules a message, in an hour by default, and returns its id. */
export const schedule = (
  tester: Tester,
  seconds = 3600,
  changes: Record<string, unknown> = {},
): Promise<string> => send(tester, { scheduled_at: secondsAhead(tester, seconds), ...changes });

/** The server's time plus this many seconds, rounded up to whole seconds. */
export const secondsAhead = (tester: Tester, seconds: number): string =>
  new Date(Math.ceil(tester.run.now() / 1000) * 1000 + seconds * 1000).toISOString().replace(".000Z", "Z");

/** Looks a message up and requires success. */
export const lookUpMessage = (tester: Tester, id: string): Promise<Exchange> =>
  requestOk(tester, "getEmail", { path: { id } });

export async function getMessage(tester: Tester, id: string): Promise<Record<string, unknown>> {
  return bodyOf(await lookUpMessage(tester, id));
}

/** An address on the verified domain of a role's account. */
export const senderOf = (tester: Tester, role: Role): string =>
  `contract@${configured(tester.settings.fixtures.domains?.ofRole?.[role], `domains.ofRole.${role}`)}`;

export const sends = ["sendEmail", "sendBatch"] as const satisfies readonly OperationId[];

/** Sends a message on its own or in a batch. */
export const submit = (
  tester: Tester,
  operation: OperationId,
  body: Record<string, unknown>,
): Promise<Exchange> => tester.request(operation, { body: operation === "sendEmail" ? body : batchOf(body) });

/** The name in `error.fields` of a field of the message that `submit` sends. */
export const fieldIn = (operation: OperationId, field: string): string =>
  operation === "sendEmail" ? field : `emails.0.${field}`;

/** What sends to simulated recipients need. */
export const emailNeeds = ["domains.verified", "simulatorDomain"] as const;

export type From = (tester: Tester) => string;

export const senderOn =
  (name: "restricted" | "unfinished" | "stopped"): From =>
  (tester) =>
    `contract@${configured(tester.settings.fixtures.domains?.[name], `domains.${name}`)}`;

/** An address outside the domain of the restricted key. */
export const otherVerifiedSender: From = (tester) => {
  const from = sender(tester);
  if (from === senderOn("restricted")(tester))
    throw new NotVerified("domains.verified is the domain of the restricted key.");
  return from;
};
