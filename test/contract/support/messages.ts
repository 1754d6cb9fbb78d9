import { configured, NotVerified } from "../engine/assert.ts";
import type { Exchange, RequestOptions } from "../engine/exchange.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { bodyOf, idOf, requestOk } from "./assertions.ts";

/** The parts of a simulated recipient's address before the @ (Simulated recipients). */
export type SimulatedRecipient = "success" | "bounce" | "complaint" | "suppressionlist";

/** The address of a simulated recipient. */
export const simulatedRecipient = (tester: Tester, local: SimulatedRecipient = "success"): string =>
  `${local}@${configured(tester.settings.fixtures.simulatorDomain, "simulatorDomain")}`;

/** An address that nobody has used before, to write to. */
export const newRecipient = (tester: Tester): string =>
  `contract-${tester.run.unique()}@${configured(tester.settings.fixtures.recipientDomain, "recipientDomain")}`;

/** An address on the domain that the account has verified. */
export const sender = (tester: Tester): string =>
  `contract@${configured(tester.settings.fixtures.domains?.verified, "domains.verified")}`;

/** The smallest message that can be sent, to the simulated recipient `success`, and what is to be different about it. */
export const message = (tester: Tester, changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  from: "from" in changes ? changes.from : sender(tester),
  to: "to" in changes ? changes.to : [simulatedRecipient(tester)],
  subject: `Contract check ${tester.run.unique()}`,
  text: "Sent by a check of the contract.",
  ...changes,
});

/** A message as a batch takes it: another one than in a single send, so that the two are never the same request. */
export const batchOf = (...messages: Record<string, unknown>[]): { emails: Record<string, unknown>[] } => ({
  emails: messages,
});

/** Sends a message, and expects that it is taken; gives the id. */
export async function send(
  tester: Tester,
  changes: Record<string, unknown> = {},
  options: RequestOptions = {},
): Promise<string> {
  return idOf(await requestOk(tester, "sendEmail", { ...options, body: message(tester, changes) }));
}

/** Sends a message for later: in an hour, unless told otherwise; gives the id. */
export const schedule = (
  tester: Tester,
  seconds = 3600,
  changes: Record<string, unknown> = {},
): Promise<string> => send(tester, { scheduled_at: secondsAhead(tester, seconds), ...changes });

/** A time so many seconds ahead of the server's, in whole seconds. */
export const secondsAhead = (tester: Tester, seconds: number): string =>
  new Date(Math.ceil(tester.run.now() / 1000) * 1000 + seconds * 1000).toISOString().replace(".000Z", "Z");

/** Looks a message up and requires success. */
export const lookUpMessage = (tester: Tester, id: string): Promise<Exchange> =>
  requestOk(tester, "getEmail", { path: { id } });

/** The record of a message, looked up by its id. */
export async function getMessage(tester: Tester, id: string): Promise<Record<string, unknown>> {
  return bodyOf(await lookUpMessage(tester, id));
}

/** Looks a message up until its status is one of these, or the deadline has passed; gives what was found last. */
export const waitForStatus = (
  tester: Tester,
  id: string,
  statuses: readonly string[],
  deadline = tester.settings.deadlines.delivery,
): Promise<Exchange> =>
  tester.until(
    () => lookUpMessage(tester, id),
    ({ json }) => statuses.includes(String((json as { status?: unknown } | undefined)?.status)),
    deadline,
  );

/** An address on the domain that the account of a role has verified. */
export const senderOf = (tester: Tester, role: Role): string =>
  `contract@${configured(tester.settings.fixtures.domains?.ofRole?.[role], `domains.ofRole.${role}`)}`;

/** Trials of a message on its own and as one of a batch. */
export const single = { title: "sendEmail", operation: "sendEmail", core: true } as const;

export const inBatch = { title: "sendBatch", operation: "sendBatch", core: true } as const;

/** Hands in a message on its own, or in a batch. */
export const submit = (
  tester: Tester,
  operation: "sendEmail" | "sendBatch",
  body: Record<string, unknown>,
): Promise<Exchange> => tester.request(operation, { body: operation === "sendEmail" ? body : batchOf(body) });

/** What needs no fixture but a domain to send from and the simulated recipients. */
export const emailNeeds = ["domains.verified", "simulatorDomain"] as const;

export type From = (tester: Tester) => string;

export const senderOn =
  (name: "restricted" | "unfinished" | "stopped"): From =>
  (tester) =>
    `contract@${configured(tester.settings.fixtures.domains?.[name], `domains.${name}`)}`;

/** A verified address that the restricted key may not send from. */
export const otherVerifiedSender: From = (tester) => {
  const from = sender(tester);
  if (from === senderOn("restricted")(tester))
    throw new NotVerified("domains.verified is the domain that the restricted key may send from.");
  return from;
};
