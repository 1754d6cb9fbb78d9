import fc, { type Arbitrary } from "fast-check";
import type { Role } from "../../engine/settings.ts";
import { inTurn, number, type Weighted } from "./weighted.ts";

export interface ContactDetails {
  first_name?: string;
  last_name?: string;
  tags?: string[];
  /** Custom field values by type; null clears the field. */
  fields?: Partial<Record<"text" | "number" | "date" | "url", string | number | null>>;
  consent?: { detail?: string; ip?: string; user_agent?: string };
}

/** One of those that the sequence adds, or one of the configuration. */
export type ContactName = number | "cleaned" | "complained";

/** A list of the account, one of another account, or none. */
export type ListName = "plain" | "second" | "doubleOptIn" | "otherAccount" | "unknown";

/** A step with a request to a newsletter operation, a message to a contact, or the confirmation of a contact. */
export type NewsletterStep =
  | {
      do: "add";
      key: Role;
      contact: ContactName;
      list: ListName;
      details: ContactDetails;
      /** The number of a change to just within or just beyond a constraint. */
      edge: number | null;
      upper: boolean;
      /** With an idempotency key, or with the longest one. */
      keyed: "no" | "short" | "longest";
    }
  | {
      do: "unsubscribe";
      key: Role;
      contact: ContactName;
      list: number | "otherAccount" | "unknown" | null;
      reason: boolean;
      edge: number | null;
    }
  | { do: "read"; key: Role; contact: ContactName; what: "contact" | "lists" | "fields" }
  /** An earlier contact request with its idempotency key, or with one that is too long, and another API key. */
  | { do: "again"; key: Role; request: number; isTooLong: boolean }
  | { do: "mail"; contact: number; field: "to" | "cc" | "bcc"; kind: "immediate" | "scheduled" | "batch" }
  | { do: "confirm"; contact: number };

const details: Arbitrary<ContactDetails> = fc.record(
  {
    first_name: fc.constantFrom("Ada", "Zoë"),
    last_name: fc.constantFrom("King", "O'Neill"),
    tags: fc.array(fc.constantFrom("bread", "cake", "tea", "Pão de ló"), { maxLength: 4 }),
    fields: fc.record(
      {
        text: fc.constantFrom("Leeds", "York", null),
        number: fc.constantFrom(12, 0, -3, null),
        date: fc.constantFrom("1985-02-28", "2024-02-29", null),
        url: fc.constantFrom("https://example.com/a?b=c", "http://example.com/", null),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    consent: fc.record(
      {
        detail: fc.constant("Signed up at the counter"),
        ip: fc.constantFrom("192.0.2.7", "2001:db8::7"),
        user_agent: fc.constant("Mozilla/5.0"),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const some = <Value>(weight: number, ...values: Value[]) => ({
  weight,
  arbitrary: fc.constantFrom(...values),
});
const list = fc.oneof(
  some<ListName>(8, "plain", "second", "doubleOptIn", "doubleOptIn"),
  some<ListName>(1, "otherAccount", "unknown"),
);
/** Sequences with few contacts write to the same one more often. */
const added = fc.oneof(some(6, 0), some(2, 1), some(1, 2));
const contact = fc.oneof({ weight: 9, arbitrary: added }, some<ContactName>(2, "cleaned", "complained"));
/** What an unsubscribe changes about the contacts of the configuration, no request undoes. */
const leaver = fc.oneof({ weight: 15, arbitrary: added }, some<ContactName>(1, "cleaned", "complained"));
const others = some<Role>(3, "otherAccount", "otherAccount", "noPlan");
const writer = fc.oneof(
  some<Role>(8, "full", "second", "manageOnly"),
  others,
  some<Role>(1, "readOnly", "sendOnly", "revoked", "noNewsletter"),
);
const reader = fc.oneof(
  some<Role>(3, "second", "readOnly", "restricted"),
  others,
  some<Role>(1, "manageOnly", "sendOnly", "revoked", "noNewsletter"),
);
/** @param turn where the changes begin */
const edge = (without: number, turn: number): Arbitrary<number | null> =>
  fc.oneof(some(without, null), { weight: 1, arbitrary: inTurn(numbers, turn) });
const numbers = Array.from({ length: 5040 }, (_, index) => index);

/**
 * Steps of newsletter operations.
 *
 * @param turn where the values that come in turn begin
 */
export const newsletterSteps = (turn: number): Weighted<NewsletterStep>[] => [
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("add"),
      key: writer,
      contact,
      list,
      details,
      edge: edge(2, turn),
      upper: fc.boolean(),
      keyed: fc.oneof(some(8, "no" as const), some(1, "short" as const, "longest" as const)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("unsubscribe"),
      key: writer,
      contact: leaver,
      list: fc.oneof(
        { weight: 6, arbitrary: number },
        some(2, null),
        some(1, "otherAccount" as const, "unknown" as const),
      ),
      reason: fc.boolean(),
      edge: edge(9, turn),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("read"),
      key: reader,
      contact,
      what: fc.oneof(some(4, "contact" as const), some(1, "lists" as const, "fields" as const)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("again"),
      key: fc.constantFrom<Role>("full", "second", "manageOnly", "otherAccount"),
      request: number,
      isTooLong: fc.oneof(some(3, false), some(1, true)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("mail"),
      contact: added,
      field: fc.constantFrom("to", "cc", "bcc"),
      kind: fc.constantFrom("immediate", "scheduled", "batch"),
    }),
  },
];

export const confirm: Weighted<NewsletterStep> = {
  weight: 1,
  arbitrary: fc.record({ do: fc.constant("confirm"), contact: added }),
};
