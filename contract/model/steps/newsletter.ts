import fc, { type Arbitrary } from "fast-check";
import type { Role } from "../../engine/settings.ts";
import { type Generated, inTurn, number, some, step, toward } from "./weighted.ts";

/** Some of the properties. */
const someOf = <Values>(values: { [Name in keyof Values]: Arbitrary<Values[Name]> }) =>
  fc.record<Values, never>(values, { requiredKeys: [], noNullPrototype: true });

const details = someOf({
  first_name: fc.constantFrom("Ada", "Zoë"),
  last_name: fc.constantFrom("King", "O'Neill"),
  tags: fc.array(fc.constantFrom("bread", "cake", "tea", "Pão de ló"), { maxLength: 4 }),
  /** Custom field values by type; null clears the field. */
  fields: someOf({
    text: fc.constantFrom("Leeds", "York", null),
    number: fc.constantFrom(12, 0, -3, null),
    date: fc.constantFrom("1985-11-30", "2024-02-29", null),
    url: fc.constantFrom("https://example.com/a?b=c", "http://example.com/", null),
  }),
  consent: someOf({
    detail: fc.constant("Signed up at the counter"),
    ip: fc.constantFrom("192.0.2.7", "2001:db8::7"),
    user_agent: fc.constant("Mozilla/5.0"),
  }),
});

/** A list of the account, one of another account, or none. */
const list = toward(
  "plain",
  fc.oneof(some(8, "plain", "second", "doubleOptIn", "doubleOptIn"), some(1, "otherAccount", "unknown")),
);
/** Contacts that the sequence adds. Sequences with few contacts write to the same one more often. */
const added = toward(0, fc.oneof(some(6, 0), some(2, 1), some(1, 2)));
const ofConfiguration = ["cleaned", "complained"] as const;
const contact = toward(0, fc.oneof({ weight: 9, arbitrary: added }, some(2, ...ofConfiguration)));
/** What an unsubscribe changes about the contacts of the configuration, no request undoes. */
const leaver = toward(0, fc.oneof({ weight: 15, arbitrary: added }, some(1, ...ofConfiguration)));
const others = some<Role>(3, "otherAccount", "otherAccount", "noPlan");
/** @param lacking a key that may not make the request */
const keys = (usual: typeof others, lacking: Role) =>
  toward("full", fc.oneof(usual, others, some<Role>(1, lacking, "sendOnly", "revoked", "noNewsletter")));
const writer = keys(some<Role>(8, "full", "second", "manageOnly"), "readOnly");
const reader = keys(some<Role>(3, "second", "readOnly", "second"), "manageOnly");
/** The number of a change to just within or just beyond a constraint. @param turn where the changes begin */
const edge = (without: number, turn: number) =>
  toward(null, fc.oneof(some(without, null), { weight: 1, arbitrary: inTurn(numbers, turn) }));
const numbers = Array.from({ length: 5040 }, (_, index) => index);

/**
 * Steps with requests to newsletter operations, or with messages to contacts.
 * @param turn where the values that come in turn begin
 */
export const newsletterSteps = (turn: number) => [
  step(6, "add", {
    key: writer,
    contact,
    list,
    details,
    edge: edge(2, turn),
    upper: fc.boolean(),
    /** With an idempotency key, or with the longest one. */
    keyed: toward("no", fc.oneof(some(8, "no"), some(1, "short", "longest"))),
  }),
  step(3, "unsubscribe", {
    key: writer,
    contact: leaver,
    list: toward(
      null,
      fc.oneof({ weight: 6, arbitrary: number }, some(2, null), some(1, "otherAccount", "unknown")),
    ),
    reason: fc.boolean(),
    edge: edge(9, turn),
  }),
  step(2, "read", {
    key: reader,
    contact,
    what: toward("contact", fc.oneof(some(4, "contact"), some(1, "lists", "fields"))),
  }),
  /** An earlier contact request with its idempotency key, or with one that is too long, and another API key. */
  step(1, "again", {
    key: fc.constantFrom<Role[]>("full", "second", "manageOnly", "otherAccount"),
    request: number,
    isTooLong: toward(false, fc.oneof(some(3, false), some(1, true))),
  }),
  step(1, "mail", {
    contact: added,
    field: fc.constantFrom("to", "cc", "bcc"),
    kind: fc.constantFrom("immediate", "scheduled", "batch"),
  }),
];

export const confirm = step(1, "confirm", { contact: added });

export type NewsletterStep = Generated<ReturnType<typeof newsletterSteps>[number]>;
export type ContactDetails = Generated<{ arbitrary: typeof details }>;
