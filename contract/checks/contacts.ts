import { limits } from "../../generated/limits.ts";
import { isObject } from "../../lib/objects.ts";
import { assert, configured, NotVerified } from "../engine/assert.ts";
import { type Check, check, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
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
  contactWithDetails,
  contactWithFields,
  contactWithUnknownField,
  pendingContact,
  unsubscribedFromOne,
} from "../support/contact-scenarios.ts";
import {
  addContact,
  assertMembershipStatus,
  listId,
  lookUpContact,
  type Membership,
  membership,
  needsList,
  needsTwoLists,
  newContact,
  unknownFieldKey,
  unknownListId,
  unsubscribe,
  upsert,
} from "../support/contacts.ts";
import { entriesOf, readOnce } from "../support/lists.ts";

/** Asserts that a response is the membership of this contact on this list. */
function assertMembershipOf(exchange: Exchange, email: string, list: number): void {
  const { list_id, email: found } = bodyOf(exchange);
  assertEqual(exchange, "list_id", list_id, list);
  assertEqual(exchange, "email", found, email);
}

const tagsOf = (found: unknown): unknown[] => (Array.isArray(found) ? found : []);

/** Asserts that these tags are present. */
function assertTags(exchange: Exchange, found: unknown, tags: readonly string[]): void {
  const lost = tags.filter((tag) => !tagsOf(found).includes(tag));
  assert(lost.length === 0, exchange, {
    expected: `tags including ${tags.join(", ")}`,
    found: format(found),
  });
}

/** A contact for a list that the account does not have is rejected. */
async function assertListNotFound(tester: Tester, list: number): Promise<void> {
  const email = newContact(tester);
  const exchange = await tester.request("upsertContact", { body: { email, list_id: list } });
  assertError(exchange, 404, "not_found", "list_id");
}

export const contacts: Check[] = [
  check("CONT-1", "an email address that is new to a list is added with 201", [
    testCase("a new contact", { core: true, needs: needsList }, async (tester) => {
      const { added } = await contactWithDetails(tester);
      assertEqual(added, "status", added.status, 201);
    }),
    testCase("a contact of another list", { core: true, needs: needsTwoLists }, async (tester) => {
      const { addedToOther, other, email } = await unsubscribedFromOne(tester);
      assertEqual(addedToOther, "status", addedToOther.status, 201);
      assertMembershipOf(addedToOther, email, other);
    }),
    testCase(
      "a contact unsubscribed from another list",
      { core: false, needs: needsTwoLists },
      async (tester) => {
        const email = await addContact(tester);
        await unsubscribe(tester, email, listId(tester, "plain"));
        const added = await upsert(tester, email, listId(tester, "second"));
        assertEqual(added, "status", added.status, 201);
        assertMembershipStatus(added, "subscribed");
      },
    ),
    testCase("a list with double opt-in", { core: true, needs: ["lists.doubleOptIn"] }, async (tester) => {
      const { added } = await pendingContact(tester);
      assertEqual(added, "status", added.status, 201);
    }),
  ]),
  check("CONT-2", "an email address already on the list is updated with 200", [
    testCase("a subscribed contact", { core: true, needs: needsList }, async (tester) => {
      const { updated } = await contactWithDetails(tester);
      assertEqual(updated, "status", updated.status, 200);
    }),
    testCase("a pending contact", { core: true, needs: ["lists.doubleOptIn"] }, async (tester) => {
      const { updated } = await pendingContact(tester);
      assertEqual(updated, "status", updated.status, 200);
    }),
    testCase("an unsubscribed contact", { core: true, needs: needsTwoLists }, async (tester) => {
      const { readded } = await unsubscribedFromOne(tester);
      assertEqual(readded, "status", readded.status, 200);
    }),
  ]),
  check(
    "CONT-3",
    "the response to an upsert is the membership on the list",
    { needs: needsList },
    async (tester) => {
      const { added, updated, email, list } = await contactWithDetails(tester);
      assertMembershipOf(added, email, list);
      assertMembershipOf(updated, email, list);
    },
  ),
  check("CONT-4", "a contact added through the API is treated like one from the signup form", [
    testCase(
      "it is pending on a list with double opt-in",
      { core: true, needs: ["lists.doubleOptIn"] },
      async (tester) => assertMembershipStatus((await pendingContact(tester)).added, "pending"),
    ),
    testCase("it stays unsubscribed", { core: true, needs: needsTwoLists }, async (tester) =>
      assertMembershipStatus((await unsubscribedFromOne(tester)).readded, "unsubscribed"),
    ),
  ]),
  check("CONT-7", "a list that the account does not have is rejected with 404 not_found", [
    testCase("a list of another account", { core: true, needs: ["lists.otherAccount"] }, async (tester) =>
      assertListNotFound(tester, listId(tester, "otherAccount")),
    ),
    testCase("a nonexistent list", async (tester) => assertListNotFound(tester, unknownListId(tester))),
  ]),
  ...withNeeds(needsList, [
    check("CONT-16", "tags are added to the existing ones", [
      testCase("in the response", { core: true }, async (tester) => {
        const { updated, first, second } = await contactWithDetails(tester);
        assertTags(updated, bodyOf(updated).tags, [...first.tags, ...second.tags]);
      }),
      testCase("in the contact record", { core: true }, async (tester) => {
        const { found, list, first, second } = await contactWithDetails(tester);
        assertTags(found, membership(found, list).tags, [...first.tags, ...second.tags]);
      }),
      ...[
        { title: "an empty list of tags removes none", details: { tags: [] } },
        { title: "an update without tags removes none", details: { last_name: "King" } },
      ].map(({ title, details }) =>
        testCase(title, async (tester: Tester) => {
          const email = newContact(tester);
          const body = { email, list_id: listId(tester, "plain") };
          await requestOk(tester, "upsertContact", { body: { ...body, tags: ["contract-bread"] } });
          const exchange = await requestOk(tester, "upsertContact", { body: { ...body, ...details } });
          assertTags(exchange, bodyOf(exchange).tags, ["contract-bread"]);
        }),
      ),
    ]),
    ...(
      [
        ["CONT-8", "first_name"],
        ["CONT-9", "last_name"],
      ] as const
    ).map(([id, name]) =>
      check(
        id,
        `the length of ${name} is counted in characters, not bytes`,
        { core: false },
        async (tester) => {
          const body = { email: newContact(tester), list_id: listId(tester, "plain") };
          const value = "é".repeat(limits.contactNameLength);
          const exchange = await requestOk(tester, "upsertContact", { body: { ...body, [name]: value } });
          assertEqual(exchange, name, bodyOf(exchange)[name], value);
        },
      ),
    ),
    check(
      "CONT-15",
      "the length of a tag is counted in characters, not bytes",
      { core: false },
      async (tester) => {
        const tags = ["é".repeat(limits.contactTagLength)];
        const body = { email: newContact(tester), list_id: listId(tester, "plain"), tags };
        const exchange = await requestOk(tester, "upsertContact", { body });
        assertTags(exchange, bodyOf(exchange).tags, tags);
      },
    ),
  ]),
];

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
  check("CONT-13", "null clears the custom field and no other", { needs: ["fields.text"] }, [
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
  ]),
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
