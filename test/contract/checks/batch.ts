import { limits } from "../../../generated/limits.ts";
import { assert, NotVerified } from "../engine/assert.ts";
import { type Check, check } from "../engine/check.ts";
import { type Exchange, errorOf, isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { batchJourney, entriesIn, idInBatch } from "./batches.ts";
import { charges, chargesNeeds, noMoreThan } from "./charges.ts";
import { gone, mailNeeds, untilGone } from "./journeys.ts";
import {
  assertEqual,
  assertError,
  assertSuccess,
  batchOf,
  bodyOf,
  format,
  message,
  requestOk,
} from "./kit.ts";
import { lastOf, shows } from "./records.ts";

/** A batch, of three unless told otherwise, in which one message lacks its subject. */
const faultyAt = (tester: Tester, position: number, length = 3): Promise<Exchange> =>
  tester.once(`a batch of ${length} whose message ${position} has no subject`, (own) => {
    const messages = Array.from({ length }, (_, index) => {
      const { subject, ...rest } = message(own);
      return index === position ? rest : { ...rest, subject };
    });
    return own.request("sendBatch", { body: batchOf(...messages) });
  });

/** The fields of the error name the one message that is wrong, and no other. */
function names(exchange: Exchange, position: number): void {
  const { fields } = errorOf(exchange) ?? {};
  const found = typeof fields === "object" && fields !== null ? Object.keys(fields) : [];
  const own = `emails.${position}.subject`;
  assert(found.includes(own) && found.every((name) => !isOther(name, position)), exchange, {
    expected: `error.fields with ${own} and with no other message`,
    found: format(found),
  });
}

const isOther = (name: string, position: number): boolean => {
  const [, other] = /^emails\.(\d+)(?:\.|$)/.exec(name) ?? [];
  return other !== undefined && Number(other) !== position;
};

async function isRefusedWhole(tester: Tester, bad: Record<string, unknown>): Promise<void> {
  const body = batchOf(message(tester), bad, message(tester));
  const exchange = await tester.request("sendBatch", { body });
  assert(!isSuccess(exchange), exchange, {
    expected: "a refusal of the whole batch",
    found: `status ${exchange.status}`,
  });
}

const largest = (tester: Tester): Promise<Exchange> =>
  tester.once("a batch of the largest size", (own) =>
    requestOk(own, "sendBatch", {
      body: batchOf(...Array.from({ length: limits.batchMessages }, () => message(own))),
    }),
  );

export const batches: Check[] = [
  check(
    "BATCH-7",
    "one refused message keeps all messages of a batch from being sent",
    [
      {
        title: "with a field missing",
        core: true,
        run: async (tester) => assertError(await faultyAt(tester, 2), 422, "invalid_request"),
      },
      {
        title: "from a domain that the account does not have",
        run: (tester) =>
          isRefusedWhole(tester, message(tester, { from: `contract@${tester.settings.runId}.example` })),
      },
      {
        title: "to nobody who can be written to",
        needs: ["suppressed"],
        run: (tester) => isRefusedWhole(tester, message(tester, { to: tester.settings.fixtures.suppressed })),
      },
      {
        title: "as the allowance shows",
        core: true,
        needs: chargesNeeds,
        run: async (tester) => noMoreThan(await charges(tester), "refusedBatch", "a batch that was refused"),
      },
    ],
    { needs: mailNeeds },
  ),
  check(
    "BATCH-8",
    "an error names the message of a batch by its position",
    [
      { title: "the last", core: true, run: async (tester) => names(await faultyAt(tester, 2), 2) },
      { title: "the first", core: true, run: async (tester) => names(await faultyAt(tester, 0), 0) },
      { title: "the one between", run: async (tester) => names(await faultyAt(tester, 1), 1) },
      {
        title: "the last of as many as a batch may have",
        run: async (tester) => {
          const last = limits.batchMessages - 1;
          names(await faultyAt(tester, last, limits.batchMessages), last);
        },
      },
    ],
    { needs: mailNeeds },
  ),
  check(
    "BATCH-9",
    "the answer to a batch has an entry for each message",
    [
      {
        title: "a few",
        core: true,
        run: async (tester) => {
          const { answer, messages } = await batchJourney(tester);
          assertEqual(answer, "the number of entries", entriesIn(answer).length, messages.length);
        },
      },
      {
        title: "as many as a batch may have",
        run: async (tester) => {
          const answer = await largest(tester);
          assertEqual(answer, "the number of entries", entriesIn(answer).length, limits.batchMessages);
        },
      },
    ],
    { needs: mailNeeds },
  ),
  check(
    "BATCH-10",
    "the entries of the answer stand in the order of the messages",
    async (tester) => {
      const { looks, messages } = await batchJourney(tester);
      if (!looks.some(isSuccess)) throw new NotVerified("No message of the batch can be looked up.");
      for (const [index, look] of looks.entries()) {
        if (!isSuccess(look)) continue;
        const { subject } = bodyOf(look);
        assertEqual(look, `the subject of message ${index},`, subject, messages[index]?.subject);
      }
    },
    { needs: mailNeeds },
  ),
  check(
    "BATCH-11",
    "the ids of a batch are all different",
    async (tester) => {
      const { answer } = await batchJourney(tester);
      const ids = entriesIn(answer).map(({ id }) => id);
      assertEqual(answer, "the number of different ids", new Set(ids).size, ids.length);
    },
    { needs: mailNeeds },
  ),
  check(
    "BATCH-12",
    "each entry lists the suppressed recipients of its own message",
    async (tester) => {
      const { answer } = await batchJourney(tester);
      const first = tester.settings.fixtures.suppressed?.slice(0, 1) ?? [];
      for (const [index, { suppressed }] of entriesIn(answer).entries())
        assertEqual(answer, `suppressed of entry ${index}`, suppressed, index === 0 ? first : []);
    },
    { needs: mailNeeds },
  ),
  check(
    "BATCH-13",
    "the ids of a batch can be looked up as soon as it is answered",
    async (tester) => {
      const { answer, looks } = await batchJourney(tester);
      for (const [index, look] of looks.entries()) {
        assertSuccess(look);
        assertEqual(look, "id", bodyOf(look).id, entriesIn(answer)[index]?.id);
      }
    },
    { needs: mailNeeds },
  ),
  check(
    "BATCH-14",
    "the messages of a batch go out within moments",
    async (tester) => {
      const id = await idInBatch(tester, "success");
      shows(lastOf(await untilGone(tester, id)), ...gone);
    },
    { needs: mailNeeds },
  ),
];
