import { expect, test } from "vitest";
import type { Exchange } from "../../contract/exchange.ts";
import { unknownParts } from "../../contract/response-checks/check-response.ts";
import { documented } from "../../contract/response-checks/documented.ts";

test("a field that the document does not describe is unknown, whatever its name", () => {
  const response = documented("listNewsletterLists", 200);
  if (response === undefined) throw new Error("the response is not documented");
  const names = ["colour", "constructor", "toString", "__proto__"];
  const list = Object.fromEntries([["id", 1], ["name", "Weekly"], ...names.map((name) => [name, {}])]);
  const exchange = {
    request: { operation: "listNewsletterLists" },
    headers: {},
    json: { lists: [list] },
  } as unknown as Exchange;
  expect(unknownParts(exchange, response)).toEqual(
    names.map((name) => `field lists[].${name} (listNewsletterLists ${response.key})`),
  );
});
