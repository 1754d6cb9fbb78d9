import fc, { type Arbitrary } from "fast-check";
import { day, type EmailStep, emailSteps, hour } from "./email.ts";
import { confirm, type NewsletterStep, newsletterSteps } from "./newsletter.ts";
import { type Generated, inTurn, number, step, toward } from "./weighted.ts";

/**
 * A step of a sequence. Messages, contacts and the lists of a contact are numbers, counted round those that exist, so that a shorter sequence means the same
 * as far as it goes.
 */
export type Step =
  | EmailStep
  | NewsletterStep
  | Generated<typeof confirm>
  | Generated<ReturnType<typeof repeat>>
  | Generated<{ arbitrary: typeof wait }>;

/** An earlier request again; with a number, with a body that differs. @param turn where the changes begin */
const repeat = (turn: number) =>
  step(3, "repeat", {
    request: fc.oneof(fc.constant(0), number),
    change: toward(null, fc.oneof(fc.constant(null), inTurn(changes, turn))),
  });
const changes = Array.from({ length: 44 }, (_, index) => index);

/** @param minutes from now, or from when the next message is due */
const waitFrom = (weight: number, from: "now" | "due", ...minutes: number[]) =>
  step(weight, "wait", { from: fc.constant(from), minutes: fc.constantFrom(...minutes) });
const aheads = [3, 7, hour - 2, hour + 2, 6 * hour, 22 * hour, 26 * hour, 2 * day, 29 * day, 31 * day];
/** To just before and just after what is due, and past the ends of the windows. */
const wait = fc.oneof(waitFrom(1, "now", ...aheads), waitFrom(2, "due", 4, 4, -2));

export interface StepOptions {
  email: boolean;
  newsletter: boolean;
  canWait: boolean;
  maxLength: number;
  /** Where the values that come in turn begin: another number for each sequence. */
  turn: number;
}

export const steps = (options: StepOptions): Arbitrary<Step> =>
  fc.oneof(
    ...(options.email ? emailSteps(options.turn) : []),
    ...(options.newsletter ? newsletterSteps(options.turn) : []),
    repeat(options.turn),
    ...(options.newsletter ? [confirm] : []),
    ...(options.canWait ? [{ weight: 2, arbitrary: wait }] : []),
  );

export const sequences = (options: StepOptions): Arbitrary<Step[]> =>
  fc.array(steps(options), { minLength: 1, maxLength: options.maxLength, size: "max" });
