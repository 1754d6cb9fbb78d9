import type { OperationId } from "../../generated/operations.ts";
import { type Check, check, type Need, testCase } from "../engine/check.ts";
import { defaultSequences, type Settings } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { verifiedBySequences } from "../model/judge.ts";
import { search, selectedSequences } from "../model/search.ts";

/** Which sequences a check sends. */
interface Kind {
  product: "email" | "newsletter";
  canWait: boolean;
}

const operations = { email: "sendEmail", newsletter: "upsertContact" } as const satisfies Record<
  string,
  OperationId
>;
const needs = {
  email: ["domains.verified", "simulatorDomain"],
  newsletter: ["lists.plain"],
} as const satisfies Record<string, readonly Need[]>;

/** Whether the sequences are those selected: a user can ask for others by their number or seed. */
const isSelected = ({ profile, sequences: given = {} }: Settings): boolean =>
  profile !== "model" && given.sequences === undefined && given.seed === undefined;

/** The checks that share the time of a run. */
const numberOfChecks = ({ settings, run }: Tester): number => {
  const products = settings.profile === "email" || settings.profile === "newsletter" ? 1 : 2;
  const canWait = run.hooks.advanceClock !== undefined && !settings.without.includes("clock");
  return products * (canWait ? 2 : 1);
};

function send({ product, canWait }: Kind, tester: Tester): Promise<void> {
  const { settings } = tester;
  return search(tester, {
    ...defaultSequences(settings),
    ...settings.sequences,
    share: 1 / numberOfChecks(tester),
    selected: isSelected(settings) ? selectedSequences(product, canWait) : undefined,
    email: product === "email",
    newsletter: product === "newsletter",
    canWait,
  });
}

/** One case; none in the profile `core`. It names no requirements: each rule of the model names its own, which the case verifies as far as its sequences need them. */
function sequenceCheck(kind: Kind): Check {
  const { product, canWait } = kind;
  const options = {
    operation: operations[product],
    core: false,
    needs: needs[product],
    verifies: verifiedBySequences[canWait ? (`${product} with clock moves` as const) : product].split(" "),
  };
  const clock = canWait ? " with clock moves" : "";
  return check(
    [],
    `random sequences of ${product} requests${clock} have the responses that the model allows`,
    canWait ? { tags: ["clock"], needs: ["hooks.advanceClock"] } : { alone: true },
    [testCase("", options, (tester) => send(kind, tester))],
  );
}

/** Sequences of requests, compared with the model of the service. */
export const sequenceChecks: Check[] = [
  sequenceCheck({ product: "email", canWait: false }),
  sequenceCheck({ product: "newsletter", canWait: false }),
  sequenceCheck({ product: "email", canWait: true }),
  sequenceCheck({ product: "newsletter", canWait: true }),
];
