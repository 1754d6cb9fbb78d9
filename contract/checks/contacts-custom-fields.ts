import { limits } from "../../generated/limits.ts";
import { isObject } from "../../lib/objects.ts";
import { assert, configured, NotVerified } from "../engine/assert.ts";
import { type Check, check, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import {
  assertEqual,
  assertError,
  assertFieldError,
  bodyOf,
  format,
  requestOk,
} from "../support/assertions.ts";
import {
  contactInCapitals,
  contactWithFields,
  contactWithUnknownField,
} from "../support/contact-scenarios.ts";
import {
  listId,
  lookUpContact,
  type Membership,
  membership,
  needsList,
  newContact,
  unknownFieldKey,
  upsert,
} from "../support/contacts.ts";
import { entriesOf, readOnce } from "../support/lists.ts";

/** Values that no reading of the field's type accepts. */
const wrongTypes = [
  ["number", "a dozen"],
  ["date", "next Tuesday"],
  ["date", 20261224],
  ["url", "no web address"],
] as const;

/** The value of a custom field in a membership; undefined if there is none. */
const fieldValueOf = ({ fields }: Membership, key: string): unknown =>
  isObject(fields) ? fields[key] : undefined;

/** A contact request with values for this many custom fields. */
async function manyValues(tester: Tester, count: number): Promise<Record<string, unknown>> {
  const exchange = await readOnce(tester, "fields");
  const good: Record<string, unknown> = { text: "Leeds", date: "1985-02-28", url: "https://example.com/" };
  const usable = entriesOf(exchange, "fields").filter(({ type }) => String(type) in good);
  if (usable.length < count)
    throw new NotVerified(
      `The account has ${usable.length} custom fields of type text, date and url; the test needs ${count}.`,
    );
  const fields = usable.slice(0, count).map(({ key, type }) => [String(key), good[String(type)]] as const);
  return { email: newContact(tester), list_id: listId(tester, "plain"), fields: Object.fromEntries(fields) };
}

export const fieldValues: Check[] = withNeeds(needsList, [
  check("CONT-10", "values for custom fields are accepted up to the limit and rejected beyond it", [
    testCase(`${limits.contactFields} values`, async (tester) => {
      const body = await manyValues(tester, limits.contactFields);
      const exchange = await requestOk(tester, "upsertContact", { body });
      const { fields } = bodyOf(exchange);
      const kept = isObject(fields) ? Object.keys(fields) : [];
      const lost = Object.keys(body.fields as object).filter((key) => !kept.includes(key));
      assert(lost.length === 0, exchange, { expected: "all values in fields", found: `no ${lost}` });
    }),
    testCase(`${limits.contactFields + 1} values`, { core: true }, async (tester) => {
      const body = await manyValues(tester, limits.contactFields + 1);
      assertFieldError(await tester.request("upsertContact", { body }), "fields");
    }),
  ]),
  check("CONT-11", "a value for an undefined custom field is rejected", [
    testCase("for a new contact", async (tester) => {
      const { response } = await contactWithUnknownField(tester);
      assertFieldError(response, "fields");
    }),
    testCase("for a new contact, which is not added", { core: false }, async (tester) => {
      const { response, email } = await contactWithUnknownField(tester);
      assertFieldError(response, "fields");
      assertError(await tester.request("getContact", { path: { email } }), 404, "not_found");
    }),
    testCase("in an update, which changes nothing", async (tester) => {
      const { email, response, found } = await badUpdate(tester);
      assertFieldError(response, "fields");
      const { first_name } = membership(found, listId(tester, "plain"));
      assertEqual(found, `first_name of ${email}`, first_name, "Ada");
    }),
  ]),
  check(
    "CONT-12",
    "a value that is invalid for the type of its custom field is rejected",
    wrongTypes.map(([type, value]) =>
      testCase(
        `${format(value)} as ${type}`,
        { core: typeof value === "string", needs: [`fields.${type}`] as const },
        async (tester) => {
          const key = configured(tester.settings.fixtures.fields?.[type], `fields.${type}`);
          const body = {
            email: newContact(tester),
            list_id: listId(tester, "plain"),
            fields: { [key]: value },
          };
          assertFieldError(await tester.request("upsertContact", { body }), "fields");
        },
      ),
    ),
  ),
  check(
    "CONT-13",
    "null clears the custom field and no other",
    [
      testCase("the cleared field", { core: true }, async (tester) => {
        const { updated, found, list } = await contactWithFields(tester);
        const key = configured(tester.settings.fixtures.fields?.text, "fields.text");
        // A cleared field may be absent or null, like one of a contact that never had a value.
        const { added: other } = await contactInCapitals(tester);
        const none = fieldValueOf(bodyOf(other), key) ?? null;
        for (const [exchange, one] of [
          [updated, bodyOf(updated)],
          [found, membership(found, list)],
        ] as const) {
          assertEqual(
            exchange,
            `fields.${key} as for a contact that never had a value`,
            fieldValueOf(one, key) ?? null,
            none,
          );
        }
      }),
      testCase("another field", { core: true, needs: ["fields.url"] }, async (tester) => {
        const { first, found, list } = await contactWithFields(tester);
        const key = configured(tester.settings.fixtures.fields?.url, "fields.url");
        const value = fieldValueOf(membership(found, list), key);
        assertEqual(found, `fields.${key}`, value, first.fields[key]);
      }),
    ],
    { needs: ["fields.text"] },
  ),
]);

/** An update with a value for an undefined custom field and a new name. */
async function badUpdate(tester: Tester) {
  const list = listId(tester, "plain");
  const email = newContact(tester);
  await upsert(tester, email, list, { first_name: "Ada" });
  const body = { email, list_id: list, first_name: "Grace", fields: { [unknownFieldKey(tester)]: "Leeds" } };
  return {
    email,
    response: await tester.request("upsertContact", { body }),
    found: await lookUpContact(tester, email),
  };
}
