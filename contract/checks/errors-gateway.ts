import { methodsByPath, operations } from "../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import { pathOf } from "../engine/path.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertError } from "../support/assertions.ts";
import { emailNeeds } from "../support/messages.ts";
import { requestToReject } from "../support/requests.ts";

/** Requests to unknown paths. */
const unknownPaths = [
  { method: "GET", path: (name: string) => `/api/v1/${name}` },
  { method: "POST", path: (name: string) => `/api/v1/newsletter/${name}` },
  { method: "GET", path: (name: string) => `/api/v1/me/${name}` },
  { method: "DELETE", path: (name: string) => `/api/v1/newsletter/lists/${name}/${name}` },
];

/** A method that no path of the document supports. */
const unsupportedMethod = "PUT";

/** Another one, for paths without path parameters. */
const secondUnsupportedMethod = "DELETE";

/** The response of a path with existing parameters to an unsupported method. */
const responseTo = (tester: Tester, method: string, address: string): Promise<Exchange> =>
  tester.once(`${method} ${address}`, async (own) => {
    const { path } = address.includes("{")
      ? await requestToReject(own, address.includes("{id}") ? "cancelEmail" : "unsubscribeContact")
      : {};
    return own.rawRequest({ method, path: pathOf(address, path) });
  });

const casePerPath = (run: (exchange: Exchange, method: string, methods: readonly string[]) => void) =>
  Object.entries(methodsByPath).flatMap(([address, methods]) => [
    testCase(
      address,
      { core: ["/api/v1/emails/{id}", "/api/v1/newsletter/contacts"].includes(address) },
      async (tester: Tester) =>
        run(await responseTo(tester, unsupportedMethod, address), unsupportedMethod, methods),
    ),
    ...(address.includes("{") || address.endsWith("/batch")
      ? []
      : [
          testCase(`${secondUnsupportedMethod} ${address}`, { core: false }, async (tester: Tester) =>
            run(await responseTo(tester, secondUnsupportedMethod, address), secondUnsupportedMethod, methods),
          ),
        ]),
  ]);

export const gatewayResponses: Check[] = [
  check("ERR-6", "an unknown path below the version prefix is rejected with 404 not_found", [
    ...unknownPaths.map(({ method: one, path }) =>
      testCase(`${one} ${path("...")}`, async (tester: Tester) => {
        const name = `contract-${tester.run.unique()}`;
        assertError(await tester.rawRequest({ method: one, path: path(name) }), 404, "not_found");
      }),
    ),
    testCase("GET below an existing message", { needs: emailNeeds }, async (tester) => {
      const { path: message } = await requestToReject(tester, "cancelEmail");
      const path = `${pathOf(operations.getEmail.path, message)}/contract-${tester.run.unique()}`;
      assertError(await tester.rawRequest({ method: "GET", path }), 404, "not_found");
    }),
  ]),
  check(
    "ERR-7",
    "an unsupported method is rejected with 405 method_not_allowed",
    casePerPath((exchange) => assertError(exchange, 405, "method_not_allowed")),
  ),
  check(
    "HEAD-10",
    "a 405 lists the supported methods in Allow",
    casePerPath((exchange, method, methods) => {
      const { allow } = exchange.headers;
      const named = (allow ?? "").split(",").map((one) => one.trim());
      assert(methods.every((one) => named.includes(one)) && !named.includes(method), exchange, {
        expected: `Allow with ${methods.join(", ")} and without ${method}`,
        found: allow === undefined ? "no such header" : `Allow: ${allow}`,
      });
    }),
  ),
];
