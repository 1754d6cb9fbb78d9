import fc from "fast-check";
import { limits } from "../../../generated/limits.ts";
import { configured } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { assertEqual, requestOk } from "../support/assertions.ts";
import { getContact, membershipOf, newContact } from "../support/contacts.ts";
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

const contacts = fc.record({
  first_name: plainText(limits.contactNameLength),
  last_name: plainText(limits.contactNameLength),
  tags: fc.uniqueArray(
    fc.string({
      unit: fc.constantFrom(...letters.slice(0, 26)),
      minLength: 1,
      maxLength: limits.contactTagLength,
    }),
    { minLength: 1, maxLength: limits.contactTags },
  ),
});

/** One case per generated value; none in the profile `core`. */
const generatedCases = <Value>(
  values: fc.Arbitrary<Value>,
  run: (tester: Tester, value: Value) => Promise<unknown>,
): TestCase[] =>
  fc
    .sample(values, { numRuns: howMany, seed })
    .map((value, index) =>
      testCase(`generated value ${index + 1} of ${howMany}`, { core: false }, (tester) => run(tester, value)),
    );

/** Properties that hold for any value. */
export const generated: Check[] = [
  check(
    ["LOOK-5", "LOOK-6"],
    "a record returns any subject and tags unchanged",
    generatedCases(messages, async (tester, value) => {
      const record = await getMessage(tester, await send(tester, message(tester, value)));
      assertEqual(tester.exchanges.at(-1), "subject", record.subject, value.subject);
      assertEqual(tester.exchanges.at(-1), "tags", record.tags, value.tags);
    }),
    { needs: ["domains.verified", "simulatorDomain"] },
  ),
  check(
    ["MEMB-5", "MEMB-6", "MEMB-8"],
    "a membership returns any names and tags unchanged",
    generatedCases(contacts, async (tester, value) => {
      const list_id = configured(tester.settings.fixtures.lists?.plain, "lists.plain");
      const email = newContact(tester);
      await requestOk(tester, "upsertContact", { body: { email, list_id, ...value } });
      const found = membershipOf(await getContact(tester, email), list_id);
      const exchange = tester.exchanges.at(-1);
      assertEqual(exchange, "first_name", found?.first_name, value.first_name);
      assertEqual(exchange, "last_name", found?.last_name, value.last_name);
      assertEqual(
        exchange,
        "tags in any order",
        [...((found?.tags as string[]) ?? [])].sort(),
        [...value.tags].sort(),
      );
    }),
    { needs: ["lists.plain"] },
  ),
];
