import fc from "fast-check";
import { limits } from "../../../generated/limits.ts";
import { type Check, check, type Trial } from "../engine/check.ts";
import { given } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { contact, equal, good, look, membershipIn, message, newContact, send } from "./kit.ts";

/** The same values in every run, so that two runs can be compared. */
const seed = 1;
const howMany = 6;

/** A text that nobody has a reason to change on its way: no blanks at its ends, composed letters, nothing invisible. */
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

/** A trial of each of some generated values; none of them in the profile `core`. */
const each = <Value>(
  values: fc.Arbitrary<Value>,
  run: (tester: Tester, value: Value) => Promise<unknown>,
): Trial[] =>
  fc.sample(values, { numRuns: howMany, seed }).map((value, index) => ({
    title: `generated value ${index + 1} of ${howMany}`,
    core: false,
    run: (tester) => run(tester, value),
  }));

/** What any values must come through, whatever they are. */
export const generated: Check[] = [
  check(
    ["LOOK-5", "LOOK-6"],
    "a record gives back whatever subject and tags a message was sent with",
    { needs: ["domains.verified", "simulatorDomain"] },
    each(messages, async (tester, value) => {
      const record = await look(tester, await send(tester, message(tester, value)));
      equal(tester.exchanges.at(-1), "subject", record.subject, value.subject);
      equal(tester.exchanges.at(-1), "tags", record.tags, value.tags);
    }),
  ),
  check(
    ["MEMB-5", "MEMB-6", "MEMB-8"],
    "a membership gives back whatever names and tags a contact was added with",
    { needs: ["lists.plain"] },
    each(contacts, async (tester, value) => {
      const list_id = given(tester.settings.fixtures.lists?.plain, "lists.plain");
      const email = newContact(tester);
      await good(tester, "upsertContact", { body: { email, list_id, ...value } });
      const found = membershipIn(await contact(tester, email), list_id);
      const exchange = tester.exchanges.at(-1);
      equal(exchange, "first_name", found?.first_name, value.first_name);
      equal(exchange, "last_name", found?.last_name, value.last_name);
      equal(
        exchange,
        "tags, in any order,",
        [...((found?.tags as string[]) ?? [])].sort(),
        [...value.tags].sort(),
      );
    }),
  ),
];
