import { configured } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { alone, handIn, inBatch } from "./handing-in.ts";
import { journey, mailNeeds } from "./journeys.ts";
import {
  assertEqual,
  assertError,
  assertSuccess,
  bodyOf,
  message,
  newRecipient,
  requestOk,
  send,
  simulatedRecipient,
} from "./kit.ts";
import { inAnyOrder } from "./records.ts";

/** A message to somebody who can be written to, and to somebody who sending has stopped to. */
const partlySuppressed = (tester: Tester): Promise<{ to: string; gone: string; exchange: Exchange }> =>
  tester.once("a send that is partly suppressed", async (own) => {
    const [gone] = configured(own.settings.fixtures.suppressed, "suppressed");
    const to = simulatedRecipient(own);
    const exchange = await own.request("sendEmail", { body: message(own, { to: [to, gone] }) });
    return { to, gone: String(gone), exchange };
  });

const suppressing = ["suppressed", ...mailNeeds] as const;

/** Who a message goes to, and who it does not go to because sending to them has stopped. */
export const suppression: Check[] = [
  check(
    "SEND-33",
    "the answer lists in to the recipients that the message goes to",
    [
      {
        title: "one recipient",
        core: true,
        run: async (tester) => {
          const { body, answer } = await journey(tester, "success");
          assertEqual(answer, "to", inAnyOrder(bodyOf(answer).to), body.to);
        },
      },
      {
        title: "three recipients",
        needs: ["recipientDomain"],
        run: async (tester) => {
          const to = [1, 2, 3].map(() => newRecipient(tester));
          const answer = await requestOk(tester, "sendEmail", { body: message(tester, { to }) });
          assertEqual(answer, "to", inAnyOrder(bodyOf(answer).to), inAnyOrder(to));
        },
      },
      {
        title: "without those who are suppressed",
        core: true,
        needs: ["suppressed"],
        run: async (tester) => {
          const { to, exchange } = await partlySuppressed(tester);
          assertEqual(exchange, "to", bodyOf(exchange).to, [to]);
        },
      },
    ],
    { needs: mailNeeds },
  ),
  check("SEND-34", "the answer lists in suppressed the recipients that were left out", [
    {
      title: "one of two",
      core: true,
      needs: suppressing,
      run: async (tester) => {
        const { gone, exchange } = await partlySuppressed(tester);
        assertEqual(exchange, "suppressed", bodyOf(exchange).suppressed, [gone]);
      },
    },
    {
      title: "nobody",
      core: true,
      needs: mailNeeds,
      run: async (tester) => {
        const { answer } = await journey(tester, "success");
        assertEqual(answer, "suppressed", bodyOf(answer).suppressed, []);
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
    [
      { ...alone, run: async (tester) => assertSuccess((await partlySuppressed(tester)).exchange) },
      {
        ...inBatch,
        core: false,
        run: async (tester) => {
          const to = [simulatedRecipient(tester), ...(tester.settings.fixtures.suppressed ?? [])];
          assertSuccess(await handIn(tester, "sendBatch", message(tester, { to })));
        },
      },
    ],
    { needs: suppressing },
  ),
  check(
    "SEND-36",
    "a send whose recipients are all suppressed is refused with 422 send_rejected",
    [
      { ...alone, run: (tester) => allSuppressed(tester, "sendEmail") },
      { ...inBatch, run: (tester) => allSuppressed(tester, "sendBatch") },
    ],
    { needs: suppressing },
  ),
];

async function stopsAtOnce(tester: Tester): Promise<void> {
  const gone = newRecipient(tester);
  await send(tester, { to: [gone] });
  await tester.hook("suppress", { address: gone });
  const body = message(tester, { to: [simulatedRecipient(tester), gone] });
  const answer = await requestOk(tester, "sendEmail", { body });
  assertEqual(answer, "suppressed", bodyOf(answer).suppressed, [gone]);
}

async function allSuppressed(tester: Tester, operation: "sendEmail" | "sendBatch"): Promise<void> {
  const to = configured(tester.settings.fixtures.suppressed, "suppressed");
  assertError(await handIn(tester, operation, message(tester, { to })), 422, "send_rejected");
}
