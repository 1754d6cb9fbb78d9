import { operations } from "../../generated/operations.ts";
import { assert, configured } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { isSuccess } from "../exchange.ts";
import { assertEqual, assertFieldError, entriesIn, requestOk } from "../support/assertions.ts";
import { listId, newContactBody, unknownFieldKey } from "../support/contacts.ts";
import { fieldTypes, readOnce } from "../support/lists.ts";

async function assertNotDefined(tester: Tester, key: string): Promise<void> {
  const exchange = await requestOk(tester, "listCustomFields");
  const isThere = entriesIn(exchange, "fields").some((field) => field.key === key);
  assert(!isThere, exchange, { expected: `no custom field ${key}`, found: "that field" });
}

export const lists: Check[] = [
  check(
    "LIST-1",
    "only the lists of the account are listed",
    (["plain", "second", "doubleOptIn", "otherAccount"] as const).map((name) =>
      testCase(`list ${name}`, { core: true, needs: [`lists.${name}`] as const }, async (tester: Tester) => {
        const exchange = await readOnce(tester, "lists");
        const id = listId(tester, name);
        const { length } = entriesIn(exchange, "lists").filter((list) => list.id === id);
        assertEqual(exchange, `number of entries for list ${id}`, length, name === "otherAccount" ? 0 : 1);
      }),
    ),
  ),
  check(
    "LIST-4",
    "a list has double_opt_in",
    (["plain", "doubleOptIn"] as const).map((name) =>
      testCase(name, { core: true, needs: [`lists.${name}`] as const }, async (tester) => {
        const exchange = await readOnce(tester, "lists");
        const list = entriesIn(exchange, "lists").find(({ id }) => id === listId(tester, name));
        assertEqual(exchange, `double_opt_in of ${name}`, list?.double_opt_in, name === "doubleOptIn");
      }),
    ),
  ),
  check(
    "LIST-8",
    "a custom field has its type",
    fieldTypes.map((type) =>
      testCase(type, { core: true, needs: [`fields.${type}`] as const }, async (tester) => {
        const exchange = await readOnce(tester, "fields");
        const key = configured(tester.settings.fixtures.fields?.[type], `fields.${type}`);
        const field = entriesIn(exchange, "fields").find((one) => one.key === key);
        assertEqual(exchange, `type of ${key}`, field?.type, type);
      }),
    ),
  ),
  check("LIST-9", "a date is written as year, month and day", { needs: ["lists.plain", "fields.date"] }, [
    testCase("another order is rejected", async (tester) => {
      const key = configured(tester.settings.fixtures.fields?.date, "fields.date");
      const body = newContactBody(tester, { fields: { [key]: "31/12/1984" } });
      assertFieldError(await tester.request("upsertContact", { body }), "fields");
    }),
  ]),
  check("LIST-11", "no operation defines a custom field", [
    testCase("a value for an undefined field", { core: true, needs: ["lists.plain"] }, async (tester) => {
      const key = unknownFieldKey(tester);
      await tester.request("upsertContact", { body: newContactBody(tester, { fields: { [key]: "Leeds" } }) });
      await assertNotDefined(tester, key);
    }),
    testCase("POST to the path of the custom fields", async (tester) => {
      const key = unknownFieldKey(tester);
      const { path } = operations.listCustomFields;
      const body = { key, label: "Contract", type: "text", fallback: null };
      const exchange = await tester.rawRequest({ method: "POST", path, body });
      assert(!isSuccess(exchange), exchange, { expected: "an error", found: `status ${exchange.status}` });
      await assertNotDefined(tester, key);
    }),
  ]),
];
