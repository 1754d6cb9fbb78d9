import { limits } from "../../generated/limits.ts";
import { isObject } from "../../lib/objects.ts";
import { assert, configured, NotVerified } from "../engine/assert.ts";
import { type Check, caseOf, check, type TestCase, testCase, withNeeds } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import {
  assertEqual,
  assertError,
  assertFieldError,
  assertProperty,
  assertRejected,
  assertStatusCode,
  bodyOf,
  entriesIn,
  format,
  type Json,
  requestOk,
} from "../support/assertions.ts";
import {
  addContact,
  assertLists,
  assertMembershipStatus,
  assertNoContact,
  contactInCapitals,
  contactWithDetails,
  contactWithFields,
  contactWrittenOften,
  listId,
  lookUpContact,
  membership,
  needsList,
  newContact,
  newContactBody,
  pendingContact,
  unknownFieldKey,
  unknownListId,
  unsubscribedFromAll,
  unsubscribedFromOne,
  upsert,
} from "../support/contacts.ts";
import { readOnce } from "../support/lists.ts";

/** Asserts that a response is the membership of this contact on this list. */
function assertMembershipOf(exchange: Exchange, email: string, list: number): void {
  assertProperty(exchange, "list_id", list);
  assertProperty(exchange, "email", email);
}

function assertTags(exchange: Exchange, { tags: found }: Json, tags: readonly string[]): void {
  const missing = tags.filter((tag) => !Array.isArray(found) || !found.includes(tag));
  assert(missing.length === 0, exchange, {
    expected: `tags including ${format(missing)}`,
    found: format(found),
  });
}

/** Lists that the account does not have. Ids of the last kind are beyond 32, 53 or 64 bits, or no ids of anything. */
const unknownLists = {
  "a list of another account": (tester: Tester): [number] => [listId(tester, "otherAccount")],
  "a nonexistent list": (tester: Tester): [number] => [unknownListId(tester)],
  "ids out of range": (tester: Tester): [number, ...number[]] => {
    const id = listId(tester, "plain");
    return [id + 2 ** 32, Number.MAX_SAFE_INTEGER, -id, 2 ** 63, -(2 ** 64), 1e21, Number.MAX_VALUE];
  },
} as const;

/** A request for such a list is rejected, and changes nothing. */
const unknownListCases = (operation: "upsertContact" | "unsubscribeContact"): TestCase[] =>
  Object.entries(unknownLists).map(([title, idsOf], index) =>
    testCase(
      title,
      { core: index === 0, needs: index === 0 ? ["lists.otherAccount"] : [] },
      async (tester) => {
        const ids = idsOf(tester);
        const isNew = operation === "upsertContact";
        const email = isNew ? newContact(tester) : await addContact(tester);
        const { profile, keys } = tester.settings;
        const isOther = index === 0 && profile !== "core" && keys.otherAccount !== undefined;
        if (isOther && !isNew)
          await requestOk(tester, "upsertContact", { key: "otherAccount", body: { email, list_id: ids[0] } });
        for (const list_id of ids) {
          const options = isNew ? { body: { email, list_id } } : { path: { email }, body: { list_id } };
          const exchange = await tester.request(operation, options);
          // An id out of the range of ids may be invalid, too.
          if (index < 2) assertError(exchange, 404, "not_found", "list_id");
          else assertRejected(exchange, "list_id");
        }
        const since = " as before the rejected request:";
        const own = isNew ? undefined : await lookUpContact(tester, email);
        if (own !== undefined) assertMembershipStatus(own, "subscribed", listId(tester, "plain"), since);
        else await assertNoContact(tester, email);
        if (!isOther) return;
        const there = await tester.request("getContact", { key: "otherAccount", path: { email } });
        if (isNew) assertError(there, 404, "not_found");
        else assertMembershipStatus(there, "subscribed", ids[0], since);
      },
    ),
  );

const upserts: Check[] = [
  check("CONT-1", "an email address that is new to a list is added with 201", [
    caseOf(unsubscribedFromOne, "a contact of another list", ({ addedToOther, other, email }) => {
      assertStatusCode(addedToOther, 201);
      assertMembershipOf(addedToOther, email, other);
    }),
    caseOf(pendingContact, "a list with double opt-in", ({ added }) => assertStatusCode(added, 201)),
  ]),
  check("CONT-2", "an email address already on the list is updated with 200", [
    caseOf(pendingContact, "a pending contact", ({ updated }) => assertStatusCode(updated, 200)),
    caseOf(unsubscribedFromOne, "an unsubscribed contact", ({ readded }) => assertStatusCode(readded, 200)),
    caseOf(contactWrittenOften, "many times", { core: false }, ({ updated }) => {
      for (const exchange of updated) assertStatusCode(exchange, 200);
    }),
  ]),
  check(["CONT-3", "LIST-2", "MEMB-1"], "an upsert returns the membership on the list with the id", [
    caseOf(contactWithDetails, "", ({ added, updated, email, list }) => {
      for (const one of [added, updated]) assertMembershipOf(one, email, list);
    }),
  ]),
  check(
    ["CONT-7", "CONT-26"],
    "a list that the account does not have is rejected with 404 not_found, and the contact is not added",
    unknownListCases("upsertContact"),
  ),
  check(
    "UNSUB-12",
    "unsubscribing from a list that the account does not have is rejected with 404 not_found",
    { needs: needsList },
    unknownListCases("unsubscribeContact"),
  ),
  ...withNeeds(needsList, [
    check("CONT-16", "tags are added to the existing ones", [
      caseOf(contactWrittenOften, "many times", { core: false }, ({ lookups, found, list, tags }) => {
        for (const [index, exchange] of lookups.entries())
          assertTags(exchange, membership(exchange, list), tags.slice(0, index + 1).flat());
        assertTags(found, membership(found, list), tags.flat());
      }),
      caseOf(contactWithDetails, "in the contact record", ({ found, list, first, second }) =>
        assertTags(found, membership(found, list), [...first.tags, ...second.tags]),
      ),
      ...[
        { title: "an empty list of tags removes none", details: { tags: [] } },
        { title: "an update without tags removes none", details: { last_name: "King" } },
      ].map(({ title, details }) =>
        testCase(title, async (tester: Tester) => {
          const email = await addContact(tester, { tags: ["contract-bread"] });
          const exchange = await upsert(tester, email, listId(tester, "plain"), details);
          assertTags(exchange, bodyOf(exchange), ["contract-bread"]);
        }),
      ),
    ]),
  ]),
];

/** Consents with only one property. */
const consents: Check[] = (
  [
    ["CONT-17", "a detail", { detail: "Ticked the newsletter box in a check of the contract." }],
    ["CONT-21", "an IP address", { ip: "192.0.2.17" }, { ip: "2001:db8::17" }],
    ["CONT-22", "a user agent", { user_agent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0" }],
  ] as const
).map(([id, what, ...values]) =>
  check(
    id,
    `a consent with only ${what} is accepted`,
    { needs: needsList },
    values.map((consent) =>
      testCase(Object.values(consent).join(), (tester: Tester) => addContact(tester, { consent })),
    ),
  ),
);

/** Values that no reading of the field's type accepts. */
const wrongTypes = [
  ["number", "12abc"],
  ["date", "2026-12-24 at noon"],
  ["date", 20261224],
  ["url", "no web address"],
] as const;

/** The value of a custom field in a membership; undefined if there is none. */
const fieldValueOf = ({ fields }: Json, key: string) => (isObject(fields) ? fields[key] : undefined);

/** A contact request with values for this many custom fields. */
async function manyValues(tester: Tester, count: number) {
  const { manyFields = [] } = tester.settings.fixtures;
  const good: Json = { text: "Leeds", date: "1985-08-31", url: "https://example.com/" };
  const usable = entriesIn(await readOnce(tester, "fields"), "fields").filter(
    ({ key, type }) => manyFields.includes(String(key)) && String(type) in good,
  );
  if (usable.length < count)
    throw new NotVerified(
      `The account has ${usable.length} of manyFields as fields of type text, date and url; the test needs ${count}.`,
    );
  const fields = usable.slice(0, count).map(({ key, type }) => [String(key), good[String(type)]] as const);
  return { ...newContactBody(tester), fields: Object.fromEntries(fields) as Json };
}

const fieldValues: Check[] = withNeeds(needsList, [
  check(
    "CONT-10",
    "values for custom fields are accepted up to the limit and rejected beyond it",
    { needs: ["manyFields"] },
    [
      testCase(`${limits.contactFields} values`, async (tester) => {
        const body = await manyValues(tester, limits.contactFields);
        const exchange = await requestOk(tester, "upsertContact", { body });
        const { fields } = bodyOf(exchange);
        const kept = isObject(fields) ? Object.keys(fields) : [];
        const lost = Object.keys(body.fields).filter((key) => !kept.includes(key));
        assert(lost.length === 0, exchange, { expected: "all values in fields", found: `no ${lost}` });
      }),
      testCase(`${limits.contactFields + 1} values`, { core: true }, async (tester) => {
        const body = await manyValues(tester, limits.contactFields + 1);
        assertFieldError(await tester.request("upsertContact", { body }), "fields");
        await assertNoContact(tester, body.email);
      }),
    ],
  ),
  check("MEMB-7", "an update adds values to as many as a request can have", { needs: ["manyFields"] }, [
    testCase("", { core: false }, async (tester) => {
      const { fields, ...body } = await manyValues(tester, limits.contactFields + 1);
      const values = Object.entries(fields);
      for (const part of [values.slice(0, -1), values.slice(-1)])
        await requestOk(tester, "upsertContact", { body: { ...body, fields: Object.fromEntries(part) } });
      const found = await lookUpContact(tester, body.email);
      for (const [key, value] of values)
        assertEqual(found, `fields.${key}`, fieldValueOf(membership(found, body.list_id), key), value);
    }),
  ]),
  check("CONT-11", "a value for an undefined custom field is rejected", [
    testCase("for a new contact, also with a key that objects inherit", { core: false }, async (tester) => {
      for (const key of [unknownFieldKey(tester), "constructor", "__proto__"]) {
        const body = newContactBody(tester, { fields: Object.fromEntries([[key, "Leeds"]]) });
        assertFieldError(await tester.request("upsertContact", { body }), "fields");
        await assertNoContact(tester, body.email);
      }
    }),
    testCase("in an update, which changes nothing", async (tester) => {
      const list_id = listId(tester, "plain");
      const email = await addContact(tester, { first_name: "Ada" });
      const fields = { [unknownFieldKey(tester)]: "Leeds" };
      const body = { email, list_id, first_name: "Grace", tags: ["contract-rejected"], fields };
      const response = await tester.request("upsertContact", { body });
      const found = await lookUpContact(tester, email);
      assertFieldError(response, "fields");
      const { first_name, tags } = membership(found, list_id);
      assertEqual(found, `first_name of ${email}`, first_name, "Ada");
      const added = [tags].flat().filter((tag) => tag === body.tags[0]);
      assertEqual(found, "tags of the rejected request", added, []);
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
          const body = newContactBody(tester, { fields: { [key]: value } });
          assertFieldError(await tester.request("upsertContact", { body }), "fields");
        },
      ),
    ),
  ),
  check("CONT-13", "null clears the custom field and no other", { needs: ["fields.text"] }, [
    caseOf(contactWithFields, "the cleared field", async ({ updated, found, list }, tester) => {
      const key = configured(tester.settings.fixtures.fields?.text, "fields.text");
      // A cleared field may be absent or null, like one of a contact that never had a value.
      const { added: other } = await contactInCapitals(tester);
      const none = fieldValueOf(bodyOf(other), key) ?? null;
      const name = `fields.${key} as for a contact that never had a value`;
      assertEqual(updated, name, fieldValueOf(bodyOf(updated), key) ?? null, none);
      assertEqual(found, name, fieldValueOf(membership(found, list), key) ?? null, none);
    }),
  ]),
]);

const records: Check[] = [
  check(["CONT-23", "MEMB-16", "CONT-13", "MEMB-7"], "a lookup shows the latest of many changes", [
    caseOf(contactWrittenOften, "", { core: false }, ({ found, list, kept }) => {
      const { first_name, fields } = membership(found, list);
      assertEqual(found, "first_name", first_name, "Ada");
      // What an empty field shows is unspecified.
      const values = Object.entries(isObject(fields) ? fields : {}).filter(
        ([key, value]) => key in kept || value === "Leeds",
      );
      assertEqual(found, "fields", Object.fromEntries(values), kept);
    }),
  ]),
  check(["CONT-23", "UNSUB-10"], "a lookup shows an unsubscribe after many changes", [
    caseOf(contactWrittenOften, "", { core: false }, ({ left, list }) =>
      assertMembershipStatus(left, "unsubscribed", list),
    ),
  ]),
  check(["CONT-23", "GEN-13"], "a contact is found by its URL-encoded email address", [
    caseOf(contactWithDetails, "a plain address", ({ email, found }) =>
      assertProperty(found, "email", email),
    ),
    caseOf(contactInCapitals, "in lower case, if it is found by capitals", ({ email, inCapitals }) => {
      if (isSuccess(inCapitals)) assertProperty(inCapitals, "email", email);
    }),
  ]),
  check("CONT-24", "marketing_blocked is false before unsubscribing from everything", [
    caseOf(unsubscribedFromOne, "unsubscribed from one of two lists", ({ unsubscribed, after }) => {
      assertProperty(unsubscribed, "marketing_blocked", false);
      assertProperty(after, "marketing_blocked", false);
    }),
  ]),
  check("CONT-25", "a contact record has one membership per list", [
    caseOf(contactWithDetails, "one list", ({ found, list }) => assertLists(found, list)),
    caseOf(unsubscribedFromOne, "two lists", ({ before, list, other }) => assertLists(before, list, other)),
    caseOf(unsubscribedFromAll, "after unsubscribing from everything", ({ unsubscribed, lists }) =>
      assertLists(unsubscribed, ...lists),
    ),
  ]),
  check("CONT-26", "an email address that the account has never seen is rejected with 404 not_found", [
    testCase("getContact", { operation: "getContact", core: true }, async (tester) =>
      assertNoContact(tester, newContact(tester)),
    ),
    testCase("unsubscribeContact", { operation: "unsubscribeContact", core: true }, async (tester) => {
      const options = { path: { email: newContact(tester) }, body: {} };
      assertError(await tester.request("unsubscribeContact", options), 404, "not_found");
    }),
  ]),
];

export const contacts: Check[] = [...upserts, ...consents, ...fieldValues, ...records];
