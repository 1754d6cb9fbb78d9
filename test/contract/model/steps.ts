import fc, { type Arbitrary } from "fast-check";
import type { Role } from "../engine/settings.ts";

/** A recipient: a simulated one, a suppressed one, or an email address that nothing was sent to before. */
export type Recipient = "success" | "bounce" | "complaint" | "suppressionlist" | "suppressed" | "new";

export interface MessageStep {
  to: Recipient[];
  cc: Recipient[];
  bcc: Recipient[];
  content: "text" | "html" | "both" | "template";
  tags: Record<string, string>;
}

export interface ContactDetails {
  first_name?: string;
  last_name?: string;
  tags?: string[];
  /** Custom field values by type; null clears the field. */
  fields?: Partial<Record<"text" | "date" | "url", string | null>>;
}

export type ListName = "plain" | "second" | "doubleOptIn" | "otherAccount";

/** When a scheduled message is due: minutes from now, written with an offset from UTC in minutes. */
export interface When {
  ahead: number;
  offset: number;
}

/**
 * A step of a sequence. Messages, contacts and the lists of a contact are numbers, counted round those that exist, so that a shorter sequence means the same
 * as far as it goes.
 */
export type Step =
  | { do: "send"; key: Role; message: MessageStep; when: When | null; keyed: boolean }
  | { do: "batch"; key: Role; messages: MessageStep[]; keyed: boolean }
  | { do: "reschedule"; key: Role; message: number; when: When }
  | { do: "cancel"; key: Role; message: number }
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
  | { do: "repeat"; request: number; isChanged: boolean }
  | { do: "confirm"; contact: number }
  | { do: "wait"; minutes: number };

const recipient = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Recipient>("success") },
  { weight: 2, arbitrary: fc.constantFrom<Recipient>("new", "suppressed") },
  { weight: 1, arbitrary: fc.constantFrom<Recipient>("bounce", "complaint", "suppressionlist") },
);
const copies = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Recipient[]>([]) },
  { weight: 1, arbitrary: fc.array(recipient, { minLength: 1, maxLength: 2 }) },
);
const message: Arbitrary<MessageStep> = fc.record({
  to: fc.array(recipient, { minLength: 1, maxLength: 3 }),
  cc: copies,
  bcc: copies,
  content: fc.constantFrom("text", "html", "both", "template"),
  tags: fc.dictionary(
    fc.constantFrom("order", "a-Z_0:9.", "constructor"),
    fc.constantFrom("", "1042", "Größe: 42"),
    { maxKeys: 2, noNullPrototype: true },
  ),
});

const hour = 60;
const day = 24 * hour;
const when: Arbitrary<When> = fc.record({
  ahead: fc.constantFrom(5, hour, 6 * hour, 2 * day, 30 * day - hour),
  offset: fc.constantFrom(0, 330, -210, 840, -720),
});
const email: Arbitrary<Role> = fc.constantFrom("full", "second", "sendOnly", "otherAccount");
const number = fc.nat({ max: 9 });
const keyed = fc.boolean();

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

const stepsOfEmail: { weight: number; arbitrary: Arbitrary<Step> }[] = [
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("send"),
      key: email,
      message,
      when: fc.option(when, { nil: null }),
      keyed,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("batch"),
      key: email,
      messages: fc.array(message, { minLength: 1, maxLength: 3 }),
      keyed,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("reschedule"), key: email, message: number, when }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancel"), key: email, message: number }) },
];
const stepsOfNewsletter: typeof stepsOfEmail = [
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
const repeat: Arbitrary<Step> = fc.record({
  do: fc.constant("repeat"),
  request: number,
  isChanged: fc.boolean(),
});
const confirm: Arbitrary<Step> = fc.record({ do: fc.constant("confirm"), contact });
/** To just before and just after what is due, and past the ends of the windows. */
const wait: Arbitrary<Step> = fc.record({
  do: fc.constant("wait"),
  minutes: fc.constantFrom(
    3,
    6,
    hour - 1,
    hour + 1,
    6 * hour,
    22 * hour,
    26 * hour,
    2 * day,
    29 * day,
    31 * day,
  ),
});

/** Which steps a sequence can have. */
export interface StepOptions {
  email: boolean;
  newsletter: boolean;
  canConfirm: boolean;
  canWait: boolean;
  maxLength: number;
}

/** Sequences of steps. */
export const sequences = (options: StepOptions): Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      ...(options.email ? stepsOfEmail : []),
      ...(options.newsletter ? stepsOfNewsletter : []),
      { weight: 2, arbitrary: repeat },
      ...(options.newsletter && options.canConfirm ? [{ weight: 1, arbitrary: confirm }] : []),
      ...(options.canWait ? [{ weight: 2, arbitrary: wait }] : []),
    ),
    { minLength: 1, maxLength: options.maxLength, size: "max" },
  );
