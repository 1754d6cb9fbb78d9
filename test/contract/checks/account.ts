import { assert } from "../engine/assert.ts";
import { type Check, check, notInCore, testCase } from "../engine/check.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { assertSuccess, bodyOf, format, skipIfOverlapEnded } from "../support/assertions.ts";
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

/** Asserts that the response to another key differs from that to the key `full`. */
async function assertDiffers(tester: Tester, role: Role, what: string): Promise<void> {
  const exchange = await me(tester, role);
  skipIfOverlapEnded(tester, exchange);
  assertObject(exchange);
  const { json, text } = await me(tester, "full");
  assert(exchange.text !== text, exchange, {
    expected: `another response than to the key full, because ${what}`,
    found: format(json),
  });
}

export const account: Check[] = [
  check(["ME-1", "ME-2"], "GET /me returns an object for the key", [
    testCase("", { operation: "getMe" }, async (tester) => assertObject(await me(tester, "full"))),
  ]),
  // The properties are unspecified, but not that they tell these keys apart.
  check(
    "ME-1",
    "the response to the key of another account differs",
    notInCore((tester) => assertDiffers(tester, "otherAccount", "the account is another one")),
    { needs: ["keys.otherAccount"] },
  ),
  check(
    "ME-2",
    "the response to a key with other abilities differs",
    notInCore((tester) => assertDiffers(tester, "readOnly", "the abilities are others")),
    { needs: ["keys.readOnly"] },
  ),
  check(
    "ME-3",
    "the response to a replaced key differs",
    notInCore((tester) => assertDiffers(tester, "replaced", "it has a time when it stops working")),
    { needs: ["keys.replaced"] },
  ),
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
