import { type Check, check } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { given } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { alone, handIn, inBatch } from "./handing-in.ts";
import { journey, mailNeeds } from "./journeys.ts";
import { equal, good, message, objectIn, recipient, refused, send, simulated, succeeded } from "./kit.ts";
import { inAnyOrder } from "./records.ts";

/** A message to somebody who can be written to, and to somebody who sending has stopped to. */
const partlySuppressed = (tester: Tester): Promise<{ to: string; gone: string; exchange: Exchange }> =>
  tester.once("a send that is partly suppressed", async (own) => {
    const [gone] = given(own.settings.fixtures.suppressed, "suppressed");
    const to = simulated(own);
    const exchange = await own.ask("sendEmail", { body: message(own, { to: [to, gone] }) });
    return { to, gone: String(gone), exchange };
  });

const suppressing = ["suppressed", ...mailNeeds] as const;

/** Who a message goes to, and who it does not go to because sending to them has stopped. */
export const suppression: Check[] = [
  check("SEND-33", "the answer lists in to the recipients that the message goes to", { needs: mailNeeds }, [
    {
      title: "one recipient",
      core: true,
      run: async (tester) => {
        const { body, answer } = await journey(tester, "success");
        equal(answer, "to", inAnyOrder(objectIn(answer).to), body.to);
      },
    },
    {
      title: "three recipients",
      needs: ["recipientDomain"],
      run: async (tester) => {
        const to = [1, 2, 3].map(() => recipient(tester));
        const answer = await good(tester, "sendEmail", { body: message(tester, { to }) });
        equal(answer, "to", inAnyOrder(objectIn(answer).to), inAnyOrder(to));
      },
    },
    {
      title: "without those who are suppressed",
      core: true,
      needs: ["suppressed"],
      run: async (tester) => {
        const { to, exchange } = await partlySuppressed(tester);
        equal(exchange, "to", objectIn(exchange).to, [to]);
      },
    },
  ]),
  check("SEND-34", "the answer lists in suppressed the recipients that were left out", {}, [
    {
      title: "one of two",
      core: true,
      needs: suppressing,
      run: async (tester) => {
        const { gone, exchange } = await partlySuppressed(tester);
        equal(exchange, "suppressed", objectIn(exchange).suppressed, [gone]);
      },
    },
    {
      title: "nobody",
      core: true,
      needs: mailNeeds,
      run: async (tester) => {
        const { answer } = await journey(tester, "success");
        equal(answer, "suppressed", objectIn(answer).suppressed, []);
      },
    },
    {
      title: "as soon as sending has stopped",
      needs: ["hooks.suppress", "recipientDomain", ...mailNeeds],
      run: stopsAtOnce,
    },
  ]),
  check(
    "SEND-35",
    "a suppressed recipient does not make a send fail while others remain",
    { needs: suppressing },
    [
      { ...alone, run: async (tester) => succeeded((await partlySuppressed(tester)).exchange) },
      {
        ...inBatch,
        core: false,
        run: async (tester) => {
          const to = [simulated(tester), ...(tester.settings.fixtures.suppressed ?? [])];
          succeeded(await handIn(tester, "sendBatch", message(tester, { to })));
        },
      },
    ],
  ),
  check(
    "SEND-36",
    "a send whose recipients are all suppressed is refused with 422 send_rejected",
    { needs: suppressing },
    [
      { ...alone, run: (tester) => allSuppressed(tester, "sendEmail") },
      { ...inBatch, run: (tester) => allSuppressed(tester, "sendBatch") },
    ],
  ),
];

async function stopsAtOnce(tester: Tester): Promise<void> {
  const gone = recipient(tester);
  await send(tester, { to: [gone] });
  await tester.hook("suppress", { address: gone });
  const body = message(tester, { to: [simulated(tester), gone] });
  const answer = await good(tester, "sendEmail", { body });
  equal(answer, "suppressed", objectIn(answer).suppressed, [gone]);
}

async function allSuppressed(tester: Tester, operation: "sendEmail" | "sendBatch"): Promise<void> {
  const to = given(tester.settings.fixtures.suppressed, "suppressed");
  refused(await handIn(tester, operation, message(tester, { to })), 422, "send_rejected");
}
