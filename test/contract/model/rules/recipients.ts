import { entriesIn, type Given, type Json } from "../world.ts";

/** The entries of `to`, `cc` and `bcc`. */
export const entriesOf = (message: Json): string[] =>
  ["to", "cc", "bcc"].flatMap((field) => entriesIn<unknown>(message[field])).map(String);

/** The recipients of a message, each once. */
export const recipientsOf = (message: Json): string[] => [...new Set(entriesOf(message))];

/** The email addresses that are not suppressed. */
export const without = (suppressed: readonly string[], emails: readonly string[]): string[] =>
  emails.filter((email) => !suppressed.includes(email));

/** Whether all recipients of a message are suppressed. */
export const isWithout = (suppressed: readonly string[], message: Json): boolean =>
  without(suppressed, recipientsOf(message)).length === 0;

/** The messages in the body of a send. */
export function messagesIn({ operation, body }: Given): readonly Json[] {
  if (operation === "sendEmail") return [body];
  return operation === "sendBatch" ? entriesIn(body.emails) : [];
}

export const isSimulated = (email: string, { fixtures }: Given): boolean =>
  email.endsWith(`@${fixtures.simulatorDomain}`);

const isSimulatedSuccess = (email: string, given: Given): boolean =>
  isSimulated(email, given) && email.startsWith("success@");

/**
 * The recipients that a response must list as suppressed, and those that it may: a bounce or a complaint can stop the sending to a
 * simulated recipient too, and whether an address is suppressed for other accounts is unspecified.
 */
export function suppressedOf(message: Json, given: Given) {
  const { suppressed = [] } = given.fixtures;
  const all = recipientsOf(message);
  const stopped = all.filter((email) => suppressed.includes(email));
  // Sending to an address can stop at any time.
  const canStop = (email: string): boolean =>
    (given.observed !== undefined || isSimulated(email, given)) && !isSimulatedSuccess(email, given);
  return { must: given.account === "full" ? stopped : [], may: [...stopped, ...all.filter(canStop)] };
}
