import { type Check, check, testCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertSuccess, bodyOf, skipIfOverlapEnded } from "../support/assertions.ts";
import { okResponse } from "../support/requests.ts";

/** The response to `getMe` with the key of a role. */
const me = (tester: Tester, role: Role): Promise<Exchange> =>
  role === "full"
    ? okResponse(tester, "getMe")
    : tester.once(`getMe with the key ${role}`, (own) => own.request("getMe", { key: role }));

/** Which properties the object has is unspecified. */
function assertObject(exchange: Exchange): void {
  assertSuccess(exchange);
  bodyOf(exchange);
}

export const account: Check[] = [
  check(["ME-1", "ME-2"], "GET /me returns an object for the key", [
    testCase("", { operation: "getMe" }, async (tester) => assertObject(await me(tester, "full"))),
  ]),
  check(
    "ME-3",
    "GET /me also works with a replaced key",
    [
      testCase("", { operation: "getMe" }, async (tester) => {
        const exchange = await me(tester, "replaced");
        skipIfOverlapEnded(tester, exchange);
        assertObject(exchange);
      }),
    ],
    { needs: ["keys.replaced"] },
  ),
];
