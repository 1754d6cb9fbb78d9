import { type Check, check, testCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { assertSuccess, bodyOf, skipIfOverlapEnded } from "../support/assertions.ts";
import { okResponse } from "../support/requests.ts";

/** What a key is told about itself. */
const me = (tester: Tester, role: Role): Promise<Exchange> =>
  role === "full"
    ? okResponse(tester, "getMe")
    : tester.once(`what ${role} is told about itself`, (own) => own.request("getMe", { key: role }));

/** The response is an object; what fields it has is left open. */
function assertObject(exchange: Exchange): void {
  assertSuccess(exchange);
  bodyOf(exchange);
}

export const account: Check[] = [
  check(["ME-1", "ME-2"], "a key is told about itself", [
    testCase("", { operation: "getMe" }, async (tester) => assertObject(await me(tester, "full"))),
  ]),
  check(
    "ME-3",
    "a key that was replaced is told about itself too",
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
