import { methodsByPath, operations } from "../../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { pathOf } from "../engine/path.ts";
import type { Tester } from "../engine/tester.ts";
import { assertError } from "../support/assertions.ts";
import { emailNeeds } from "../support/messages.ts";
import { requestToReject } from "../support/requests.ts";

/** Ways to an address that nobody has. */
const unknownPaths = [
  { method: "GET", path: (name: string) => `/api/v1/${name}` },
  { method: "POST", path: (name: string) => `/api/v1/newsletter/${name}` },
  { method: "GET", path: (name: string) => `/api/v1/me/${name}` },
  { method: "DELETE", path: (name: string) => `/api/v1/newsletter/lists/${name}/${name}` },
];

/** A method that no address of the document takes. */
const unsupportedMethod = "PUT";

/** Another one, for methodsByPath that are no other's with something in its place. */
const secondUnsupportedMethod = "DELETE";

/** The response of an address to a method that it does not take; everything in the address is there. */
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
  check("ERR-6", "an address below the version's prefix that does not exist is answered 404 not_found", [
    ...unknownPaths.map(({ method: one, path }) =>
      testCase(`${one} ${path("...")}`, async (tester: Tester) => {
        const name = `contract-${tester.run.unique()}`;
        assertError(await tester.rawRequest({ method: one, path: path(name) }), 404, "not_found");
      }),
    ),
    testCase("GET something below a message that is there", { needs: emailNeeds }, async (tester) => {
      const { path: message } = await requestToReject(tester, "cancelEmail");
      const path = `${pathOf(operations.getEmail.path, message)}/contract-${tester.run.unique()}`;
      assertError(await tester.rawRequest({ method: "GET", path }), 404, "not_found");
    }),
  ]),
  check(
    "ERR-7",
    "a method that an address does not take is answered 405 method_not_allowed",
    casePerPath((exchange) => assertError(exchange, 405, "method_not_allowed")),
  ),
  check(
    "HEAD-10",
    "a 405 names in Allow the methods that the address takes",
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
