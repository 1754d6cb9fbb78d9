import { type Check, check } from "../engine/check.ts";
import { defaultSequences, type Settings } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { search, selectedSequences } from "../model/search.ts";
import recorded from "../recorded.json" with { type: "json" };
import { needsList } from "../support/contacts.ts";
import { emailNeeds } from "../support/messages.ts";

/** Whether the sequences are those selected: a user can ask for others by their number or seed. */
const isSelected = ({ profile, sequences: given = {} }: Settings): boolean =>
  profile !== "model" && given.sequences === undefined && given.seed === undefined;

/** The checks that share the time of a run. */
const numberOfChecks = ({ settings, run }: Tester): number => {
  const products = settings.profile === "email" || settings.profile === "newsletter" ? 1 : 2;
  const canWait = run.hooks.advanceClock !== undefined && !settings.without.includes("clock");
  return products * (canWait ? 2 : 1);
};

/** One case; none in the profile `core`. It names no requirements: each rule of the model names its own, which the case verifies as far as its sequences need them. */
function sequenceCheck(product: "email" | "newsletter", canWait: boolean): Check {
  const clock = canWait ? (" with clock moves" as const) : "";
  const kind = `${product}${clock}` as const;
  const isEmail = product === "email";
  const send = (tester: Tester): Promise<void> =>
    search(tester, {
      ...defaultSequences(tester.settings),
      ...tester.settings.sequences,
      share: 1 / numberOfChecks(tester),
      selected: isSelected(tester.settings) ? selectedSequences(kind) : undefined,
      email: isEmail,
      newsletter: !isEmail,
      canWait,
    });
  return check(
    [],
    `random sequences of ${product} requests${clock} have the responses that the requirements allow`,
    {
      ...(canWait ? { tags: ["clock"] } : { alone: true }),
      operation: isEmail ? "sendEmail" : "upsertContact",
      core: false,
      needs: [...(canWait ? (["hooks.advanceClock"] as const) : []), ...(isEmail ? emailNeeds : needsList)],
      // As far as a server with every fixture and hook shows.
      verifies: recorded.sequences[kind].verifies.split(" "),
    },
    send,
  );
}

/** Sequences of requests, compared with the model of the service. */
export const sequenceChecks: Check[] = [false, true].flatMap((canWait) => [
  sequenceCheck("email", canWait),
  sequenceCheck("newsletter", canWait),
]);
