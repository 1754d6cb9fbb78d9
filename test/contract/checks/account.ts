import { NotVerified } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { assertSuccess, bodyOf, okResponse } from "./kit.ts";

/** What a key is told about itself. */
const told = (tester: Tester, role: Role): Promise<Exchange> =>
  role === "full"
    ? okResponse(tester, "getMe")
    : tester.once(`what ${role} is told about itself`, (own) => own.request("getMe", { key: role }));

/**
 * The answer to a key that was replaced is no sign that its overlap is over.
 * @throws NotVerified where it is, and an earlier run may have moved the clock so far
 */
export function isNotOver({ run }: Tester, { status }: Exchange): void {
  if (status === 401 && run.offset > 0)
    throw new NotVerified("keys.replaced may be over: the server's clock was moved on before the run.");
}

/** The answer is an object; what fields it has is left open. */
function says(exchange: Exchange): void {
  assertSuccess(exchange);
  bodyOf(exchange);
}

export const account: Check[] = [
  check(["ME-1", "ME-2"], "a key is told about itself", [
    { title: "", operation: "getMe", run: async (tester) => says(await told(tester, "full")) },
  ]),
  check(
    "ME-3",
    "a key that was replaced is told about itself too",
    [
      {
        title: "",
        operation: "getMe",
        run: async (tester) => {
          const exchange = await told(tester, "replaced");
          isNotOver(tester, exchange);
          says(exchange);
        },
      },
    ],
    { needs: ["keys.replaced"] },
  ),
];
