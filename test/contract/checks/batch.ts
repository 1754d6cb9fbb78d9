import { limits } from "../../../generated/limits.ts";
import { type Check, check } from "../engine/check.ts";
import { type Exchange, errorOf, isSuccess } from "../engine/exchange.ts";
import { must, NotVerified } from "../engine/promise.ts";
import type { Tester } from "../engine/tester.ts";
import { batchJourney, entriesIn, idInBatch } from "./batches.ts";
import { charges, chargesNeeds, noMoreThan } from "./charges.ts";
import { gone, mailNeeds, untilGone } from "./journeys.ts";
import { batch, equal, good, message, objectIn, refused, shown, succeeded } from "./kit.ts";
import { lastOf, shows } from "./records.ts";

/** A batch, of three unless told otherwise, in which one message lacks its subject. */
const faultyAt = (tester: Tester, position: number, length = 3): Promise<Exchange> =>
  tester.once(`a batch of ${length} whose message ${position} has no subject`, (own) => {
    const messages = Array.from({ length }, (_, index) => {
      const { subject, ...rest } = message(own);
      return index === position ? rest : { ...rest, subject };
    });
    return own.ask("sendBatch", { body: batch(...messages) });
  });

/** The fields of the error name the one message that is wrong, and no other. */
function names(exchange: Exchange, position: number): void {
  const { fields } = errorOf(exchange) ?? {};
  const found = typeof fields === "object" && fields !== null ? Object.keys(fields) : [];
  const own = `emails.${position}.subject`;
  must(found.includes(own) && found.every((name) => !isOther(name, position)), exchange, {
    expected: `error.fields with ${own} and with no other message`,
    found: shown(found),
  });
}

const isOther = (name: string, position: number): boolean => {
  const [, other] = /^emails\.(\d+)(?:\.|$)/.exec(name) ?? [];
  return other !== undefined && Number(other) !== position;
};

async function isRefusedWhole(tester: Tester, bad: Record<string, unknown>): Promise<void> {
  const body = batch(message(tester), bad, message(tester));
  const exchange = await tester.ask("sendBatch", { body });
  must(!isSuccess(exchange), exchange, {
    expected: "a refusal of the whole batch",
    found: `status ${exchange.status}`,
  });
}

const largest = (tester: Tester): Promise<Exchange> =>
  tester.once("a batch of the largest size", (own) =>
    good(own, "sendBatch", {
      body: batch(...Array.from({ length: limits.batchMessages }, () => message(own))),
    }),
  );

export const batches: Check[] = [
  check(
    "BATCH-7",
    "one refused message keeps all messages of a batch from being sent",
    { needs: mailNeeds },
    [
      {
        title: "with a field missing",
        core: true,
        run: async (tester) => refused(await faultyAt(tester, 2), 422, "invalid_request"),
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
  ),
  check("BATCH-8", "an error names the message of a batch by its position", { needs: mailNeeds }, [
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
  ]),
  check("BATCH-9", "the answer to a batch has an entry for each message", { needs: mailNeeds }, [
    {
      title: "a few",
      core: true,
      run: async (tester) => {
        const { answer, messages } = await batchJourney(tester);
        equal(answer, "the number of entries", entriesIn(answer).length, messages.length);
      },
    },
    {
      title: "as many as a batch may have",
      run: async (tester) => {
        const answer = await largest(tester);
        equal(answer, "the number of entries", entriesIn(answer).length, limits.batchMessages);
      },
    },
  ]),
  check(
    "BATCH-10",
    "the entries of the answer stand in the order of the messages",
    { needs: mailNeeds },
    async (tester) => {
      const { looks, messages } = await batchJourney(tester);
      if (!looks.some(isSuccess)) throw new NotVerified("No message of the batch can be looked up.");
      for (const [index, look] of looks.entries()) {
        if (!isSuccess(look)) continue;
        const { subject } = objectIn(look);
        equal(look, `the subject of message ${index},`, subject, messages[index]?.subject);
      }
    },
  ),
  check("BATCH-11", "the ids of a batch are all different", { needs: mailNeeds }, async (tester) => {
    const { answer } = await batchJourney(tester);
    const ids = entriesIn(answer).map(({ id }) => id);
    equal(answer, "the number of different ids", new Set(ids).size, ids.length);
  }),
  check(
    "BATCH-12",
    "each entry lists the suppressed recipients of its own message",
    { needs: mailNeeds },
    async (tester) => {
      const { answer } = await batchJourney(tester);
      const first = tester.settings.fixtures.suppressed?.slice(0, 1) ?? [];
      for (const [index, { suppressed }] of entriesIn(answer).entries())
        equal(answer, `suppressed of entry ${index}`, suppressed, index === 0 ? first : []);
    },
  ),
  check(
    "BATCH-13",
    "the ids of a batch can be looked up as soon as it is answered",
    { needs: mailNeeds },
    async (tester) => {
      const { answer, looks } = await batchJourney(tester);
      for (const [index, look] of looks.entries()) {
        succeeded(look);
        equal(look, "id", objectIn(look).id, entriesIn(answer)[index]?.id);
      }
    },
  ),
  check("BATCH-14", "the messages of a batch go out within moments", { needs: mailNeeds }, async (tester) => {
    const id = await idInBatch(tester, "success");
    shows(lastOf(await untilGone(tester, id)), ...gone);
  }),
];
