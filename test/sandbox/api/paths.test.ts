import { expect, test } from "vitest";
import { type OperationId, operations } from "../../../generated/operations.ts";
import { ErrorResponse } from "../../../sandbox/api/error-response.ts";
import { createPathMatcher, createRouter, pathOf, queryOf } from "../../../sandbox/api/paths.ts";

const match = createPathMatcher([
  ["/emails/{id}", "one"],
  ["/emails/batch", "batch"],
  ["/contacts/{email}/lists/{list}", "list"],
]);

test.each([
  ["/emails/msg_1", "one", { id: "msg_1" }],
  ["/emails/a%2Fb", "one", { id: "a/b" }],
  ["/emails/a%252Fb", "one", { id: "a%2Fb" }],
  ["/emails/batch", "batch", {}],
  ["/emails/batch2", "one", { id: "batch2" }],
  ["/contacts/ada%40readers.example/lists/2", "list", { email: "ada@readers.example", list: "2" }],
])("%s matches %s with %j", (path, value, parameters) => {
  expect(match(path)).toEqual({ value, parameters });
});

test.each([
  "/emails",
  "/emails/",
  "/emails/%",
  "/emails/%FF",
  "/emails/a/",
  "//emails/a",
  "/Emails/a",
  "/emails/a/../b",
  "",
])("%j matches no template", (path) => {
  expect(match(path)).toBeUndefined();
});

test.each([
  ["/a/b?c/d?e", "/a/b", "c/d?e"],
  ["?a", "/", "a"],
  ["http://host/a?b", "/a", "b"],
  ["http://host", "/", ""],
  ["*", "*", ""],
  ["", "/", ""],
])("the path of %j is %j and its query %j", (target, path, query) => {
  expect(pathOf(target)).toBe(path);
  expect(queryOf(target)).toBe(query);
});

const route = createRouter(Object.values(operations));

test.each(Object.keys(operations) as OperationId[])("%s is found by its method and path", (id) => {
  const { path, method, pathParameters } = operations[id];
  const found = route(method, path.replaceAll(/\{\w+\}/g, "a%20b"));
  expect(found).toMatchObject({
    operation: { id },
    parameters: Object.fromEntries(pathParameters.map((name) => [name, "a b"])),
  });
});

test.each([
  ["/api/v1/emails/batch", "POST"],
  ["/api/v1/emails/batch2", "GET, PATCH, DELETE"],
])("another method on %s gets 405 with Allow: %s", (path, allow) => {
  const found = route("PUT", path);
  expect(found).toBeInstanceOf(ErrorResponse);
  expect(found).toMatchObject({ id: "405.method_not_allowed", headers: { Allow: allow } });
});

test("an unknown path gets the gateway's 404", () => {
  expect(route("GET", "/api/v1/unknown")).toMatchObject({ id: "404.not_found.path" });
});
