import { entriesIn, type Given, type Json } from "../world.ts";

/** By message, because every send of an account is compared with those before. */
const known = new WeakMap<Json, { entries: readonly string[]; recipients: readonly string[] }>();

function addressesOf(message: Json) {
  const found = known.get(message);
  if (found !== undefined) return found;
  const entries = ["to", "cc", "bcc"].flatMap((field) => entriesIn<unknown>(message[field])).map(String);
  const addresses = { entries, recipients: [...new Set(entries)] };
  known.set(message, addresses);
  return addresses;
}

/** The entries of `to`, `cc` and `bcc`. */
export const entriesOf = (message: Json): readonly string[] => addressesOf(message).entries;

/** The recipients of a message, each once. */
export const recipientsOf = (message: Json): readonly string[] => addressesOf(message).recipients;

/** The email addresses that are not suppressed. */
export const without = (suppressed: readonly string[], emails: readonly string[]): readonly string[] =>
  suppressed.length === 0 ? emails : emails.filter((email) => !suppressed.includes(email));

/** Whether all recipients of a message are suppressed. */
export const isWithout = (suppressed: readonly string[], message: Json): boolean =>
  without(suppressed, recipientsOf(message)).length === 0;

/** The messages in the body of a send. */
export function messagesIn({ operation, body }: Given): readonly Json[] {
  if (operation === "sendEmail") return [body];
  return operation === "sendBatch" ? entriesIn(body.emails) : [];
}

export const isSimulated = (email: string, { fixtures }: Pick<Given, "fixtures">): boolean =>
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
