import fc, { type Arbitrary } from "fast-check";
import type { Role } from "../../engine/settings.ts";
import { keyed, number, type Weighted } from "./weighted.ts";

/** A recipient: a simulated one, a suppressed one, or an email address that nothing was sent to before. */
export type Recipient = "success" | "bounce" | "complaint" | "suppressionlist" | "suppressed" | "new";

export interface MessageStep {
  to: Recipient[];
  cc: Recipient[];
  bcc: Recipient[];
  content: "text" | "html" | "both" | "template";
  tags: Record<string, string>;
}

/** When a scheduled message is due: minutes from now, written with an offset from UTC in minutes. */
export interface When {
  ahead: number;
  offset: number;
}

/** A step with a request to an email operation. */
export type EmailStep =
  | { do: "send"; key: Role; message: MessageStep; when: When | null; keyed: boolean }
  | { do: "batch"; key: Role; messages: MessageStep[]; keyed: boolean }
  | { do: "reschedule"; key: Role; message: number; when: When }
  | { do: "cancel"; key: Role; message: number };

/** The first value is the simplest; one that stands more than once is more likely. */
const recipient = fc.constantFrom<Recipient>(
  ...(["success", "success", "success", "success", "success", "success"] as const),
  ...(["new", "new", "suppressed", "suppressed", "bounce", "complaint", "suppressionlist"] as const),
);
const copies = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Recipient[]>([]) },
  { weight: 1, arbitrary: fc.array(recipient, { maxLength: 2 }) },
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

export const emailSteps: Weighted<EmailStep>[] = [
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
