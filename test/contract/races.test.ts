import { expect, test } from "vitest";
import { AssertionFailure } from "../../contract/engine/assert.ts";
import type { Tester } from "../../contract/engine/tester.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { type Attempt, race } from "../../contract/support/races.ts";

/** A server with a text that each request appends to; `atOnce` decides what requests at the same time lead to. */
function server(atOnce: (texts: string[]) => string, status = 200) {
  let text = "";
  let waiting: string[] = [];
  const request = async (_: string, { body }: { body: string }): Promise<Partial<Exchange>> => {
    waiting.push(body);
    await new Promise(setImmediate);
    if (waiting.length > 0) text += waiting.length > 1 ? atOnce(waiting) : waiting.join("");
    waiting = [];
    return { status };
  };
  const tester = { request, exchanges: [], settings: { profile: "full" } } as unknown as Tester;
  const attempt = (...bodies: string[]): Attempt => ({
    requests: bodies.map((body) => ["sendEmail", { body }]),
    observe: () => ({ always: 1, text }),
  });
  const run = (...bodies: string[]): Promise<void> =>
    race(["SEND-1"], async () => {
      text = "";
      return attempt(...bodies);
    })(tester);
  return run;
}

const failureOf = (run: Promise<void>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );

test("requests at the same time may have the effect of either order", async () => {
  await server((texts) => texts.toSorted().join(""))("a", "b");
  await server((texts) => texts.toSorted().reverse().join(""))("a", "b");
});

test("a state that neither order leads to fails, with what differs", async () => {
  const failure = await failureOf(server(([first = ""]) => first)("a", "b"));
  expect(failure).toBeInstanceOf(AssertionFailure);
  expect(failure).toMatchObject({
    ids: ["SEND-1"],
    message: `expected text "ab" or "ba" after concurrent requests, as in either order, got "a"`,
  });
});

test("a server failure is that of ERR-13", async () => {
  expect(await failureOf(server((texts) => texts.join(""), 503)("a", "b"))).toMatchObject({
    ids: ["ERR-13"],
    found: "status 503",
  });
});
