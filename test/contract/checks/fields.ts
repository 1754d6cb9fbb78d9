import { operations } from "../../../generated/operations.ts";
import { assert, configured } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import { isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { newField, valued } from "./contact-lives.ts";
import { assertEqual, assertError, assertSuccess, bodyOf, format, newContact, requestOk } from "./kit.ts";
import { listOf, newKey } from "./newsletter.ts";
import { each, entriesIn, fieldOf, isText, once, types } from "./readings.ts";

/** The values under which a field may be found that was sent as this: a number may be one or be written out. */
const isSame = (found: unknown, sent: unknown): boolean => String(found) === String(sent);

async function isKept(tester: Tester, key: string, value: unknown): Promise<void> {
  const asked = { email: newContact(tester), list_id: listOf(tester, "plain"), fields: { [key]: value } };
  const first = await tester.request("upsertContact", { body: asked });
  // Whether a number is one in JSON too is left open.
  const isOther = first.status === 422 && typeof value === "number";
  const body = { ...asked, fields: { [key]: String(value) } };
  const exchange = isOther ? await tester.request("upsertContact", { body }) : first;
  assertSuccess(exchange);
  const fields = bodyOf(exchange).fields as Record<string, unknown> | null | undefined;
  assert(isSame(fields?.[key], value), exchange, {
    expected: `${key} ${format(value)} in fields`,
    found: format(fields),
  });
}

async function isUndefined(tester: Tester, key: string): Promise<void> {
  const exchange = await requestOk(tester, "listCustomFields");
  const isThere = entriesIn(exchange, "fields").some((field) => field.key === key);
  assert(!isThere, exchange, { expected: `no custom field ${key}`, found: "that field" });
}

export const customFields: Check[] = [
  check("LIST-5", "the custom fields of the account are given in an array", async (tester) =>
    entriesIn(await once(tester, "fields"), "fields"),
  ),
  check("LIST-6", "a custom field has a key", each("fields", "key", isText)),
  check("LIST-7", "a custom field has a label", each("fields", "label", isText)),
  check(
    "LIST-8",
    "a custom field is of its type",
    types.map((type) => ({
      title: type,
      core: true,
      needs: [`fields.${type}`] as const,
      run: async (tester) => {
        const field = await fieldOf(tester, type);
        assertEqual(await once(tester, "fields"), `type of ${String(field.key)}`, field.type, type);
      },
    })),
  ),
  check(
    "LIST-10",
    "a custom field has a fallback, a text or null",
    each("fields", "fallback", (value) => value === null || isText(value)),
  ),
  check(
    "LIST-6",
    "values are sent under the key of a custom field",
    (
      [
        ["text", "Åsgårdstrand, Norway"],
        ["number", 42],
        ["number", 0],
        ["date", "1984-02-29"],
        ["url", "https://example.com/about?page=2"],
        ["url", "http://example.com/"],
      ] as const
    ).map(([type, value]) => ({
      title: `${format(value)} as ${type}`,
      core: value === 42,
      needs: [`fields.${type}`] as const,
      run: async (tester) => isKept(tester, String((await fieldOf(tester, type)).key), value),
    })),
    { needs: ["lists.plain"] },
  ),
  check(
    "LIST-9",
    "a date is written as year, month and day",
    [
      {
        title: "it comes back as it was written",
        run: async (tester) => {
          const { first, added } = await valued(tester);
          const key = configured(tester.settings.fixtures.fields?.date, "fields.date");
          assertEqual(
            added,
            `fields.${key}`,
            (bodyOf(added).fields as typeof first.fields)?.[key],
            first.fields[key],
          );
        },
      },
      {
        title: "in another order it is refused",
        run: async (tester) => {
          const key = configured(tester.settings.fixtures.fields?.date, "fields.date");
          const body = { email: newContact(tester), list_id: listOf(tester, "plain") };
          const asked = { ...body, fields: { [key]: "31/12/1984" } };
          assertError(await tester.request("upsertContact", { body: asked }), 422, "invalid_request");
        },
      },
    ],
    { needs: ["lists.plain", "fields.date"] },
  ),
  check("LIST-11", "no call defines a custom field", [
    {
      title: "a value for one that is not there",
      core: true,
      needs: ["lists.plain"],
      run: async (tester) => isUndefined(tester, (await newField(tester)).key),
    },
    {
      title: "a post to the address of the fields",
      run: async (tester) => {
        const key = newKey(tester);
        const { path } = operations.listCustomFields;
        const body = { key, label: "Contract", type: "text", fallback: null };
        const exchange = await tester.rawRequest({ method: "POST", path, body });
        assert(!isSuccess(exchange), exchange, { expected: "a refusal", found: `status ${exchange.status}` });
        await isUndefined(tester, key);
      },
    },
  ]),
];
