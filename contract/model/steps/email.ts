import fc, { type Arbitrary } from "fast-check";
import type { Role } from "../../engine/settings.ts";
import { editsInBatch, editsOfScheduled, editsOfSend } from "./edits.ts";
import { type Generated, inTurn, number, some, step, toward } from "./weighted.ts";

const simulated = ["success", "bounce", "complaint", "suppressionlist"] as const;
const suppressed = ["suppressed 0", "suppressed 1", "suppressed 2"] as const;
/** A simulated recipient, one of the suppressed ones, or an email address that nothing was sent to before. */
export type Recipient = (typeof simulated)[number] | (typeof suppressed)[number] | "new";

/** One that stands more than once is more likely. */
const recipient = fc.constantFrom<Recipient[]>(
  ...(["success", "success", "success", "success", "new", "new"] as const),
  ...(["bounce", "complaint", "suppressionlist", ...suppressed] as const),
);
const none = fc.array(recipient, { maxLength: 0 });
const recipients = fc.array(recipient, { minLength: 1, maxLength: 3 });
const copies = toward<Recipient[], Recipient[]>(
  [],
  fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: recipients }),
);

/**
 * Messages to one simulated recipient, which have a known end, to several of any kind, and to suppressed ones. One in `every` has an edit:
 * properties at or beyond a limit, or other than usual.
 * @param turn where the edits begin
 */
function messages(edits: readonly string[], every: number, turn: number) {
  const others = {
    content: fc.constantFrom("text", "html", "both", "template"),
    tags: fc.dictionary(
      fc.constantFrom("order", "a-Z_0:9.", "constructor"),
      fc.constantFrom("", "1042", "Größe: 42"),
      { maxKeys: 2, noNullPrototype: true },
    ),
    edit: toward(null, fc.oneof(some(every - 1, null), { weight: 1, arbitrary: inTurn(edits, turn) })),
  };
  const one = fc.tuple<Recipient[]>(inTurn<Recipient>(simulated, turn));
  const stopped = fc.array(inTurn<Recipient>(suppressed, turn), { maxLength: 1 });
  const mixed = fc.array(fc.constantFrom<Recipient[]>("success", ...suppressed), {
    minLength: 1,
    maxLength: 2,
  });
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ to: one, cc: none, bcc: none, ...others }) },
    { weight: 3, arbitrary: fc.record({ to: recipients, cc: copies, bcc: copies, ...others }) },
    { weight: 1, arbitrary: fc.record({ to: mixed, cc: stopped, bcc: stopped, ...others }) },
  );
}

export type MessageStep = Generated<{ arbitrary: ReturnType<typeof messages> }>;

/** In minutes. */
export const hour = 60;
export const day = 24 * hour;
const usual = [5, hour, 6 * hour, 2 * day, 30 * day - hour];
const tooFar = 30 * day + hour;
/** When a scheduled message is due: minutes from now, also beyond the limit, written with an offset from UTC in minutes. */
const time = (often: number, turn: number) =>
  fc.record({
    ahead: fc.constantFrom(...Array.from({ length: often }, () => usual).flat(), tooFar),
    offset: inTurn([0, 330, -210, 840, -720], turn),
  });

export type When = Generated<{ arbitrary: ReturnType<typeof time> }>;

const senders: readonly Role[] = ["full", "full", "second", "sendOnly", "otherAccount"];
const sender = toward(
  "full",
  fc.oneof(
    some<Role>(24, ...senders),
    some<Role>(4, "restricted", "restricted", "readOnly", "manageOnly"),
    // Their accounts have the usual rate limit, so a few requests must do.
    some<Role>(1, "noPlan", "noDomain", "atCeiling"),
  ),
);
const changer = fc.constantFrom<Role[]>(...senders, "restricted", "readOnly");
/** The number of a message of the key's account that is scheduled, or was due; or of another account, or of all. */
const target = fc.record({
  number,
  of: fc.constantFrom("pending", "pending", "pending", "pending", "due", "due", "others", "all"),
});

export type Target = Generated<{ arbitrary: typeof target }>;

/**
 * Steps with requests to email operations.
 * @param turn where the values that come in turn begin
 */
export function emailSteps(turn: number) {
  const send = (weight: number, edits: readonly string[], every: number, when: Arbitrary<When | null>) =>
    step(weight, "send", { key: sender, message: messages(edits, every, turn), when, keyed: fc.boolean() });
  const of = { key: changer, message: target };
  return [
    send(2, editsOfSend, 2, fc.constant(null)),
    send(4, editsOfScheduled, 3, toward(null, time(3, turn))),
    step(2, "batch", {
      key: sender,
      messages: fc.array(messages(editsInBatch, 4, turn), { minLength: 1, maxLength: 5 }),
      isFirstRepeated: fc.constantFrom(false, false, false, false, false, true),
      keyed: fc.boolean(),
    }),
    step(2, "reschedule", { ...of, when: time(2, turn) }),
    step(1, "cancel", of),
    step(1, "look", of),
  ];
}

export type EmailStep = Generated<ReturnType<typeof emailSteps>[number]>;
