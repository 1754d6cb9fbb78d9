import fc, { type Arbitrary } from "fast-check";
import type { Role } from "../../engine/settings.ts";
import { keyed, number, type Weighted } from "./weighted.ts";

export interface ContactDetails {
  first_name?: string;
  last_name?: string;
  tags?: string[];
  /** Custom field values by type; null clears the field. */
  fields?: Partial<Record<"text" | "date" | "url", string | null>>;
}

export type ListName = "plain" | "second" | "doubleOptIn" | "otherAccount";

/** A step with a request to a newsletter operation, or the confirmation of a contact. */
export type NewsletterStep =
  | {
      do: "add";
      key: Role;
      contact: number;
      list: ListName;
      details: ContactDetails;
      upper: boolean;
      keyed: boolean;
    }
  | { do: "unsubscribe"; key: Role; contact: number; list: number | "otherAccount" | null }
  | Confirmation;

interface Confirmation {
  do: "confirm";
  contact: number;
}

const details: Arbitrary<ContactDetails> = fc.record(
  {
    first_name: fc.constantFrom("Ada", "Zoë"),
    last_name: fc.constantFrom("King", "O'Neill"),
    tags: fc.array(fc.constantFrom("bread", "cake", "tea"), { maxLength: 3 }),
    fields: fc.record(
      {
        text: fc.constantFrom("Leeds", "York", null),
        date: fc.constantFrom("1985-02-28", "2024-02-29", null),
        url: fc.constantFrom("https://example.com/a", null),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const list = fc.constantFrom<ListName>(
  "plain",
  "plain",
  "second",
  "doubleOptIn",
  "doubleOptIn",
  "otherAccount",
);
/** Sequences with few contacts write to the same one more often. */
const contact = fc.nat({ max: 2 });
const manager: Arbitrary<Role> = fc.constantFrom("full", "full", "manageOnly", "second", "readOnly");

export const newsletterSteps: Weighted<NewsletterStep>[] = [
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("add"),
      key: manager,
      contact,
      list,
      details,
      upper: fc.boolean(),
      keyed,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("unsubscribe"),
      key: manager,
      contact,
      list: fc.oneof(
        { weight: 3, arbitrary: number },
        fc.constant(null),
        fc.constant("otherAccount" as const),
      ),
    }),
  },
];

export const confirm: Weighted<NewsletterStep> = {
  weight: 1,
  arbitrary: fc.record({ do: fc.constant("confirm"), contact }),
};
