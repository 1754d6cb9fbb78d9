import fc, { type Arbitrary } from "fast-check";
import type { Role } from "../../engine/settings.ts";
import { type Edit, editsInBatch, editsOfScheduled, editsOfSend } from "./edits.ts";
import { inTurn, keyed, number, type Weighted } from "./weighted.ts";

/** A recipient: a simulated one, one of the suppressed ones, or an email address that nothing was sent to before. */
export type Recipient =
  | ("success" | "bounce" | "complaint" | "suppressionlist" | "new")
  | ("suppressed 0" | "suppressed 1" | "suppressed 2");

export interface MessageStep {
  to: Recipient[];
  cc: Recipient[];
  bcc: Recipient[];
  content: "text" | "html" | "both" | "template";
  tags: Record<string, string>;
  /** Properties at or beyond a limit, or other than usual. */
  edit: Edit | null;
}

/** When a scheduled message is due: minutes from now, written with an offset from UTC in minutes. */
export interface When {
  ahead: number;
  offset: number;
}

/** A step with a request to an email operation. */
export type EmailStep =
  | { do: "send"; key: Role; message: MessageStep; when: When | null; keyed: boolean }
  | { do: "batch"; key: Role; messages: MessageStep[]; isFirstRepeated: boolean; keyed: boolean }
  | { do: "reschedule"; key: Role; message: Target; when: When }
  | { do: "cancel"; key: Role; message: Target }
  | { do: "look"; key: Role; message: Target };

/** The number of a message of the key's account that is scheduled, or was due; or of another account, or of all. */
export interface Target {
  number: number;
  of: "pending" | "due" | "others" | "all";
}

const simulated = ["success", "bounce", "complaint", "suppressionlist"] as const;
const suppressed = ["suppressed 0", "suppressed 1", "suppressed 2"] as const;
/** The first value is the simplest; one that stands more than once is more likely. */
const recipient = fc.constantFrom<Recipient>(
  ...(["success", "success", "success", "success", "new", "new"] as const),
  ...(["bounce", "complaint", "suppressionlist", ...suppressed] as const),
);
const none = fc.array(recipient, { maxLength: 0 });
const recipients = fc.array(recipient, { minLength: 1, maxLength: 3 });
const copies = fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: recipients });

/**
 * Messages to one simulated recipient, which have a known end, to several of any kind, and to suppressed ones. One in `every` has an edit.
 *
 * @param turn where the edits begin
 */
function messages(edits: readonly Edit[], every: number, turn: number): Arbitrary<MessageStep> {
  const others = {
    content: fc.constantFrom("text", "html", "both", "template" as const),
    tags: fc.dictionary(
      fc.constantFrom("order", "a-Z_0:9.", "constructor"),
      fc.constantFrom("", "1042", "Größe: 42"),
      { maxKeys: 2, noNullPrototype: true },
    ),
    edit: fc.oneof(
      { weight: every - 1, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: inTurn(edits, turn) },
    ),
  };
  const one = fc.tuple<Recipient[]>(inTurn<Recipient>(simulated, turn));
  const stopped = fc.array(inTurn<Recipient>(suppressed, turn), { maxLength: 1 });
  const mixed = fc.array(fc.constantFrom<Recipient>("success", ...suppressed), {
    minLength: 1,
    maxLength: 2,
  });
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ to: one, cc: none, bcc: none, ...others }) },
    { weight: 3, arbitrary: fc.record({ to: recipients, cc: copies, bcc: copies, ...others }) },
    { weight: 1, arbitrary: fc.record({ to: mixed, cc: stopped, bcc: stopped, ...others }) },
  );
}

const hour = 60;
const day = 24 * hour;
/** @param aheads minutes; times beyond the limit among them */
const time = (aheads: readonly number[], turn: number): Arbitrary<When> =>
  fc.record({ ahead: fc.constantFrom(...aheads), offset: inTurn([0, 330, -210, 840, -720], turn) });
const usual = [5, hour, 6 * hour, 2 * day, 30 * day - hour];
const tooFar = 30 * day + hour;

const senders: readonly Role[] = ["full", "full", "second", "sendOnly", "otherAccount"];
const others: readonly Role[] = ["restricted", "restricted", "readOnly", "manageOnly"];
/** Their accounts have the usual rate limit, so a few requests must do. */
const rare: readonly Role[] = ["noPlan", "noDomain", "atCeiling"];
const sender = fc.oneof(
  { weight: 24, arbitrary: fc.constantFrom(...senders) },
  { weight: 4, arbitrary: fc.constantFrom(...others) },
  { weight: 1, arbitrary: fc.constantFrom(...rare) },
);
const changer = fc.constantFrom<Role>(...senders, "restricted", "readOnly");
const target = fc.record<Target>({
  number,
  of: fc.constantFrom("pending", "pending", "pending", "pending", "due", "due", "others", "all"),
});

/**
 * Steps of email operations.
 *
 * @param turn where the values that come in turn begin
 */
export function emailSteps(turn: number): Weighted<EmailStep>[] {
  const send = (edits: readonly Edit[], every: number, when: Arbitrary<When | null>): Arbitrary<EmailStep> =>
    fc.record({ do: fc.constant("send"), key: sender, message: messages(edits, every, turn), when, keyed });
  const batch = fc.array(messages(editsInBatch, 4, turn), { minLength: 1, maxLength: 5 });
  const at = time([...usual, ...usual, tooFar], turn);
  return [
    { weight: 2, arbitrary: send(editsOfSend, 2, fc.constant(null)) },
    { weight: 4, arbitrary: send(editsOfScheduled, 3, time([...usual, ...usual, ...usual, tooFar], turn)) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("batch"),
        key: sender,
        messages: batch,
        isFirstRepeated: fc.constantFrom(false, false, false, false, false, true),
        keyed,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("reschedule"), key: changer, message: target, when: at }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel"), key: changer, message: target }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("look"), key: changer, message: target }) },
  ];
}
