import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { controlOperations } from "../../../sandbox/control/control.ts";
import { hostile } from "../pages/samples.ts";
import { openTestSite, put, type TestSite } from "./test-site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
  await put(site.store, hostile);
});
afterAll(() => site.store.close());

const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "\ud800",
    "\u202e",
    ..."msg_hostile ../.. %00 %ff %2e%2e%2f __proto__ constructor 1e9 -1".split(" "),
  ),
);
const path = fc.constantFrom(
  ...controlOperations.map((operation) => operation.path),
  ..."/ /requests /confirm /contacts /contacts/confirm /suppressions /suppressions/remove /clock /reset".split(
    " ",
  ),
  ..."/control /failures /failures/end /failures/end-all /messages/{id} /requests/{id}".split(" "),
  ..."/messages/{id}/html /messages/{id}/attachments/{id} /messages/msg_hostile/attachments/{id}".split(" "),
);
const target = fc
  .tuple(
    path,
    odd,
    fc.dictionary(
      fc.constantFrom("account", "limit", "before", "after", "view", "search", "list_id", "x"),
      odd,
      { maxKeys: 3 },
    ),
  )
  .map(
    ([at, id, query]) =>
      `${at.replaceAll("{id}", encodeURI(id.toWellFormed()))}?${new URLSearchParams(query)}`,
  );
const names = [
  ..."advance to local email list_id reason account failure requests delay retry_after method path key".split(
    " ",
  ),
  ..."share id".split(" "),
];
const value = fc.oneof(
  odd,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("P1D", "503", 1, "a@b.example"),
);
const fields = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });
const body = fc.oneof(
  fields.map((given) => JSON.stringify(given)),
  fields.map((given) =>
    new URLSearchParams(
      Object.entries(given).map(([name, one]) => [name, String(one)] as [string, string]),
    ).toString(),
  ),
  fc.uint8Array({ maxLength: 50 }),
);

test("every request gets a response, and never a server error", { timeout: 120_000 }, async () => {
  const methods = fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS");
  await fc.assert(
    fc.asyncProperty(methods, target, body, async (method, target, body) => {
      const { status, headers } = await site.request(method, target, { body });
      expect([200, 201, 303, 404, 405, 409, 422]).toContain(status);
      for (const [name, text] of Object.entries(headers))
        expect(`${name}: ${text}`).toMatch(/^[\x20-\x7e]*$/);
    }),
    { numRuns: 2000 },
  );
});
