import { expect, test } from "vitest";
import { AssertionFailure } from "../../contract/engine/assert.ts";
import { causeOf } from "../../contract/engine/cause.ts";
import type { Exchange } from "../../contract/exchange.ts";

/** @param failure default: the name is that of a property that is not wrong */
function causeWith(name: string, failure = alone(name)): string | undefined {
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
  return causeOf(new AssertionFailure(exchange, failure), ["ERR-10"], [exchange]);
}

const alone = (name: string) => ({
  expected: "error.fields with entries for subject alone",
  found: `an entry for ${name}`,
});

test.each([
  ["input", "input"],
  ["input.html", "input"],
  ["input[0]", "input"],
  ["10.1.2.3", "10.1.2.3"],
  ["-x.y", "-x.y"],
])("a name in error.fields that is no property is whole but for what is inside it: %s", (name, shown) => {
  expect(causeWith(name)).toBe(`error.fields has ${shown}, which the document does not have`);
});

/** A request with the list 2, which is `lists.plain`. */
const ofList = (status: number, message: string): Exchange => {
  const json = status === 404 ? { error: { type: "not_found", message } } : {};
  return {
    request: { operation: "upsertContact", method: "POST", path: "/api/v1/contacts", body: { list_id: 2 } },
    sent: { headers: {}, text: "{}" },
    ...{ status, headers: {}, text: JSON.stringify(json), json, startedAt: 0, milliseconds: 1 },
  };
};
const causeOfUnknown = (message: string, earlier: readonly Exchange[] = []) => {
  const exchange = ofList(404, message);
  const failure = new AssertionFailure(exchange, { expected: "success", found: "status 404 not_found" });
  return causeOf(failure, ["UNSUB-1"], [...earlier, exchange], { lists: { plain: 2 } });
};

test("an unknown list may be a mistake in the configuration, but not one that was accepted before", () => {
  const question = /: is lists\.plain \(2\) of the configuration right\?$/;
  expect(causeOfUnknown("No such list.")).toMatch(question);
  expect(causeOfUnknown("No such contact.", [ofList(201, "")])).not.toMatch(question);
});

test("the reason of a server is cut with an ellipsis", () => {
  expect(causeOfUnknown(`${"No contact ".repeat(20)}.`, [ofList(201, "")])).toMatch(
    /No contact [\w ]*\.\.\."$/,
  );
  expect(causeOfUnknown("No contact.", [ofList(201, "")])).toMatch(/: "No contact"$/);
});

test.each([
  ["error.fields with entries for to, tags", "entries for to", true],
  ["error.fields with entries for from or to and tags alone", "entries for to", true],
  ["error.fields with entries for to, tags", "entries for to, subject", false],
  ["error.fields with entries for to alone", "entries for to", false],
])("an error that names some of the properties has one cause: %s, %s", (expected, found, isSo) => {
  const cause = "error.fields names only some of the properties that are wrong";
  expect(causeWith("to", { expected, found }) === cause).toBe(isSo);
});
