import { expect, test } from "vitest";
import { AssertionFailure } from "../../contract/engine/assert.ts";
import type { Tester } from "../../contract/engine/tester.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { type Attempt, raceCheck } from "../../contract/support/races.ts";

/** A server with a text that each request appends to; `atOnce` decides what requests at the same time lead to. */
function server(atOnce: (texts: string[]) => string) {
  let text = "";
  let waiting: string[] = [];
  const exchanges: Partial<Exchange>[] = [];
  const request = async (_: string, { body }: { body: string }): Promise<Partial<Exchange>> => {
    waiting.push(body);
    await new Promise(setImmediate);
    if (waiting.length > 0) text += waiting.length > 1 ? atOnce(waiting) : waiting.join("");
    waiting = [];
    const made = { status: 200 };
    exchanges.push(made);
    return made;
  };
  const tester = { request, exchanges, settings: { profile: "full" } } as unknown as Tester;
  const attempt = (...bodies: string[]): Attempt => ({
    requests: bodies.map((body) => ["sendEmail", { body }]),
    observe: () => ({ always: 1, text }),
  });
  return async (...bodies: string[]): Promise<void> => {
    const prepare = async (): Promise<Attempt> => {
      text = "";
      return attempt(...bodies);
    };
    await raceCheck(["SEND-1"], "", [{ prepare }]).cases[0]?.run(tester);
  };
}

const failureOf = (run: Promise<void>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );

test("the requests that were sent at the same time say so", async () => {
  const failure = (await failureOf(server(([first = ""]) => first)("a", "b"))) as AssertionFailure;
  expect(failure.exchange?.atOnce).toBe(true);
});

test("requests at the same time may have the effect of either order", async () => {
  await server((texts) => texts.toSorted().join(""))("a", "b");
  await server((texts) => texts.toSorted().reverse().join(""))("a", "b");
});

test("a state that neither order leads to fails, with what differs", async () => {
  const failure = await failureOf(server(([first = ""]) => first)("a", "b"));
  expect(failure).toBeInstanceOf(AssertionFailure);
  expect(failure).toMatchObject({
    ids: ["SEND-1"],
    message: `expected text "ab" or "ba" after concurrent requests, as if sent one by one, got "a"`,
  });
});
