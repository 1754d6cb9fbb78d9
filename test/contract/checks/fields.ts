import { operations } from "../../../generated/operations.ts";
import { type Check, check } from "../engine/check.ts";
import { isSuccess } from "../engine/exchange.ts";
import { given, must } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { newField, valued } from "./contact-lives.ts";
import { equal, good, newContact, objectIn, refused, shown, succeeded } from "./kit.ts";
import { listOf, newKey } from "./newsletter.ts";
import { each, entriesIn, fieldOf, isText, once, types } from "./readings.ts";

/** The values under which a field may be found that was sent as this: a number may be one or be written out. */
const isSame = (found: unknown, sent: unknown): boolean => String(found) === String(sent);

async function isKept(tester: Tester, key: string, value: unknown): Promise<void> {
  const asked = { email: newContact(tester), list_id: listOf(tester, "plain"), fields: { [key]: value } };
  const first = await tester.ask("upsertContact", { body: asked });
  // Whether a number is one in JSON too is left open.
  const isOther = first.status === 422 && typeof value === "number";
  const body = { ...asked, fields: { [key]: String(value) } };
  const exchange = isOther ? await tester.ask("upsertContact", { body }) : first;
  succeeded(exchange);
  const fields = objectIn(exchange).fields as Record<string, unknown> | null | undefined;
  must(isSame(fields?.[key], value), exchange, {
    expected: `${key} ${shown(value)} in fields`,
    found: shown(fields),
  });
}

async function isUndefined(tester: Tester, key: string): Promise<void> {
  const exchange = await good(tester, "listCustomFields");
  const isThere = entriesIn(exchange, "fields").some((field) => field.key === key);
  must(!isThere, exchange, { expected: `no custom field ${key}`, found: "that field" });
}

export const customFields: Check[] = [
  check("LIST-5", "the custom fields of the account are given in an array", {}, async (tester) =>
    entriesIn(await once(tester, "fields"), "fields"),
  ),
  check("LIST-6", "a custom field has a key", {}, each("fields", "key", isText)),
  check("LIST-7", "a custom field has a label", {}, each("fields", "label", isText)),
  check(
    "LIST-8",
    "a custom field is of its type",
    {},
    types.map((type) => ({
      title: type,
      core: true,
      needs: [`fields.${type}`] as const,
      run: async (tester) => {
        const field = await fieldOf(tester, type);
        equal(await once(tester, "fields"), `type of ${String(field.key)}`, field.type, type);
      },
    })),
  ),
  check(
    "LIST-10",
    "a custom field has a fallback, a text or null",
    {},
    each("fields", "fallback", (value) => value === null || isText(value)),
  ),
  check(
    "LIST-6",
    "values are sent under the key of a custom field",
    { needs: ["lists.plain"] },
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
      title: `${shown(value)} as ${type}`,
      core: value === 42,
      needs: [`fields.${type}`] as const,
      run: async (tester) => isKept(tester, String((await fieldOf(tester, type)).key), value),
    })),
  ),
  check("LIST-9", "a date is written as year, month and day", { needs: ["lists.plain", "fields.date"] }, [
    {
      title: "it comes back as it was written",
      run: async (tester) => {
        const { first, added } = await valued(tester);
        const key = given(tester.settings.fixtures.fields?.date, "fields.date");
        equal(
          added,
          `fields.${key}`,
          (objectIn(added).fields as typeof first.fields)?.[key],
          first.fields[key],
        );
      },
    },
    {
      title: "in another order it is refused",
      run: async (tester) => {
        const key = given(tester.settings.fixtures.fields?.date, "fields.date");
        const body = { email: newContact(tester), list_id: listOf(tester, "plain") };
        const asked = { ...body, fields: { [key]: "31/12/1984" } };
        refused(await tester.ask("upsertContact", { body: asked }), 422, "invalid_request");
      },
    },
  ]),
  check("LIST-11", "no call defines a custom field", {}, [
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
        const exchange = await tester.call({ method: "POST", path, body });
        must(!isSuccess(exchange), exchange, { expected: "a refusal", found: `status ${exchange.status}` });
        await isUndefined(tester, key);
      },
    },
  ]),
];
