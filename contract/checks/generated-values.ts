import fc from "fast-check";
import { limits } from "../../generated/limits.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import { assertEqual } from "../support/assertions.ts";
import { getMessage, message, send } from "../support/messages.ts";

/** A fixed seed, so that runs are comparable. */
const seed = 1;

const howMany = 6;

/** Texts that no server has a reason to normalize: no surrounding spaces, NFC, no invisible characters. */
const plainText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: Math.floor(maxLength / 4) })
    .map((text) => text.normalize("NFC"))
    .filter((text) => text === text.trim() && text.length <= maxLength && !/[\p{C}\p{Z}]/u.test(text));

const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];

const tagName = fc
  .string({ unit: fc.constantFrom(...letters, "-", "_", ":", "."), minLength: 1, maxLength: 32 })
  .filter((name) => name !== "__proto__");

const messages = fc.record({
  subject: plainText(limits.subjectLength),
  tags: fc.dictionary(tagName, plainText(limits.messageTagValueLength), {
    minKeys: 1,
    maxKeys: limits.messageTags,
  }),
});

/** One case per generated message; none in the profile `core`. */
const generatedCases = fc.sample(messages, { numRuns: howMany, seed }).map((value, index) =>
  testCase(`generated value ${index + 1} of ${howMany}`, { core: false }, async (tester) => {
    const record = await getMessage(tester, await send(tester, message(tester, value)));
    assertEqual(tester.exchanges.at(-1), "subject", record.subject, value.subject);
    assertEqual(tester.exchanges.at(-1), "tags", record.tags, value.tags);
  }),
);

/** Properties that hold for any value. */
export const generated: Check[] = [
  check(["LOOK-5", "LOOK-6"], "a record returns any subject and tags unchanged", generatedCases, {
    needs: ["domains.verified", "simulatorDomain"],
  }),
];
