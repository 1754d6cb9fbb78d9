import { expect, test } from "vitest";
import { AssertionFailure } from "../../contract/engine/assert.ts";
import { causeOf } from "../../contract/engine/cause.ts";
import type { Exchange } from "../../contract/exchange.ts";

function causeWith(name: string): string | undefined {
  const json = { error: { type: "invalid_request", message: "No.", fields: { [name]: ["No."] } } };
  const exchange: Exchange = {
    request: { key: "full", operation: "sendEmail", method: "POST", path: "/api/v1/emails", body: {} },
    sent: { headers: {}, text: "{}" },
    status: 422,
    headers: {},
    text: JSON.stringify(json),
    json,
    startedAt: 0,
    milliseconds: 1,
  };
  const failure = { expected: "error.fields with entries for subject alone", found: `an entry for ${name}` };
  return causeOf(new AssertionFailure(exchange, failure), ["ERR-10"], [exchange]);
}

test.each([
  ["input", "input"],
  ["input.html", "input"],
  ["input[0]", "input"],
  ["10.1.2.3", "10.1.2.3"],
  ["-x.y", "-x.y"],
])("a name in error.fields that is no property is whole but for what is inside it: %s", (name, shown) => {
  expect(causeWith(name)).toBe(`error.fields has ${shown}, which the document does not have`);
});
