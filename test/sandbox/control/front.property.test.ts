import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SiteAnswer } from "../../../sandbox/control/answer.ts";
import { controlCalls } from "../../../sandbox/control/control.ts";
import { put, type TestFront, testFront } from "../front-parts.ts";
import { hostile } from "../pages/samples.ts";

let front: TestFront;
beforeAll(async () => {
  front = await testFront();
  await put(front.store, hostile);
});
afterAll(() => front.store.close());

const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "msg_hostile",
    "../..",
    "%00",
    "%ff",
    "%2e%2e%2f",
    "__proto__",
    "constructor",
    "\ud800",
    "\u202e",
    "1e9",
    "-1",
    "",
  ),
);
const path = fc.oneof(
  fc.constantFrom(...controlCalls.map((call) => call.path)),
  fc.constantFrom(
    "/",
    "/calls",
    "/contacts",
    "/contacts/confirm",
    "/suppressions",
    "/suppressions/lift",
    "/clock",
    "/reset",
  ),
  fc.constantFrom(
    "/messages/{id}",
    "/messages/{id}/html",
    "/messages/{id}/attachments/{id}",
    "/messages/msg_hostile/attachments/{id}",
  ),
);
const target = fc
  .tuple(
    path,
    odd,
    fc.dictionary(fc.constantFrom("account", "limit", "before", "after", "view", "x"), odd, { maxKeys: 3 }),
  )
  .map(
    ([at, id, query]) =>
      `${at.replaceAll("{id}", encodeURI(id.toWellFormed()))}?${new URLSearchParams(query)}`,
  );
const names = [
  "advance",
  "to",
  "local",
  "email",
  "list_id",
  "address",
  "reason",
  "account",
  "fail",
  "calls",
  "delay",
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

/** An address that is not the front's is answered by the API, with a 404. */
function elsewhere(error: Error): Pick<SiteAnswer, "status" | "headers"> {
  if (error.message.startsWith("nothing is at")) return { status: 404, headers: {} };
  throw error;
}

test("whatever is asked, there is an answer, and it is none of a fault", { timeout: 120_000 }, async () => {
  const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS");
  await fc.assert(
    fc.asyncProperty(method, target, body, async (verb, address, sent) => {
      const { status, headers } = await front.ask(verb, address, { body: sent }).catch(elsewhere);
      expect([200, 303, 404, 405, 409, 422]).toContain(status);
      for (const [name, text] of Object.entries(headers))
        expect(`${name}: ${text}`).toMatch(/^[\x20-\x7e]*$/);
    }),
    { numRuns: 2000 },
  );
});
