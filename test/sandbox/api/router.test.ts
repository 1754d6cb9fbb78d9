import { expect, test } from "vitest";
import { type OperationId, operations } from "../../../generated/operations.ts";
import { findAddress, pathOf } from "../../../sandbox/api/router.ts";

test.each(Object.keys(operations) as OperationId[])("%s is found at its address", (id) => {
  const { path, method, pathParameters } = operations[id];
  const match = findAddress(path.replaceAll(/\{\w+\}/g, "a%20b"));
  expect(match?.address.operations.get(method)?.id).toBe(id);
  expect(match?.parameters).toEqual(Object.fromEntries(pathParameters.map((name) => [name, "a b"])));
});

test("a fixed address goes before an open one", () => {
  expect(findAddress("/api/v1/emails/batch")?.address.allow).toBe("POST");
  expect(findAddress("/api/v1/emails/batch2")?.address.allow).toBe("GET, PATCH, DELETE");
});

test.each([
  ["/a/b?c/d?e", "/a/b"],
  ["?a", "/"],
  ["http://host/a?b", "/a"],
  ["http://host", "/"],
  ["*", "*"],
  ["", "/"],
])("the path of %j is %j", (target, path) => {
  expect(pathOf(target)).toBe(path);
});
