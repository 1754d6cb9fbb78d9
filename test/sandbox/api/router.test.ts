import { expect, test } from "vitest";
import { type OperationId, operations } from "../../../generated/operations.ts";
import { ErrorResponse } from "../../../sandbox/api/error-response.ts";
import { createRouter } from "../../../sandbox/api/paths.ts";

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
