import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import { defaultSequences, type Settings } from "../engine/settings.ts";
import { search } from "../model/search.ts";
import { selectedSequences } from "../model/selected.ts";

/** The products of a sequence, with what it needs. */
const products = [
  { title: "email", operation: "sendEmail", needs: ["domains.verified", "simulatorDomain"] },
  { title: "newsletter", operation: "upsertContact", needs: ["lists.plain"] },
] as const;

/** Whether the sequences are those selected: a user can ask for others by their number or seed. */
const isSelected = ({ profile, sequences: given = {} }: Settings): boolean =>
  profile !== "model" && given.sequences === undefined && given.seed === undefined;

/** One case per product; none in the profile `core`. */
const casesOf = (canWait: boolean): TestCase[] =>
  products.map(({ title, operation, needs }) =>
    testCase(`${title} operations`, { operation, core: false, needs }, (tester) =>
      search(tester, {
        ...defaultSequences(tester.settings),
        ...tester.settings.sequences,
        selected: isSelected(tester.settings) ? selectedSequences(title, canWait) : undefined,
        email: title === "email",
        newsletter: title === "newsletter",
        canWait,
      }),
    ),
  );

/**
 * Sequences of requests, compared with the model of the service. They name no requirements: each rule of the model names its own,
 * which a case verifies as far as its sequences need them.
 */
export const sequenceChecks: Check[] = [
  check([], "random sequences of requests have the responses that the model allows", casesOf(false), {
    alone: true,
  }),
  check([], "random sequences with clock moves have the responses that the model allows", casesOf(true), {
    tags: ["clock"],
    needs: ["hooks.advanceClock"],
  }),
];
