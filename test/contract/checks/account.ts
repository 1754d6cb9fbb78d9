import { type Check, check } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { must } from "../engine/promise.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { goodAnswer, objectIn, shown, succeeded } from "./kit.ts";

/** What a key is told about itself. */
const told = (tester: Tester, role: Role): Promise<Exchange> =>
  role === "full"
    ? goodAnswer(tester, "getMe")
    : tester.once(`what ${role} is told about itself`, (own) => own.ask("getMe", { key: role }));

/** The answer has something to say; in which fields is left open. */
function says(exchange: Exchange): void {
  succeeded(exchange);
  must(Object.keys(objectIn(exchange)).length > 0, exchange, {
    expected: "an object that says something",
    found: shown(exchange.json),
  });
}

/** Two keys that differ in what they can ask about are not told the same. */
async function differ(tester: Tester, one: Role, other: Role): Promise<void> {
  const [first, second] = [await told(tester, one), await told(tester, other)];
  for (const exchange of [first, second]) says(exchange);
  must(first.text !== second.text, second, {
    expected: `another answer than to the key ${one}`,
    found: "the same",
  });
}

export const account: Check[] = [
  check(["ME-1", "ME-2"], "a key is told about itself", {}, [
    { title: "", operation: "getMe", run: async (tester) => says(await told(tester, "full")) },
  ]),
  check("ME-1", "keys of two accounts are told different things", { needs: ["keys.otherAccount"] }, [
    { title: "", operation: "getMe", run: (tester) => differ(tester, "full", "otherAccount") },
  ]),
  check(
    "ME-3",
    "a key that was replaced is told other things than one that was not",
    { needs: ["keys.replaced"] },
    [{ title: "", operation: "getMe", run: (tester) => differ(tester, "full", "replaced") }],
  ),
];
