import { limits } from "../../../generated/limits.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { batchJourney, idInBatch } from "./batches.ts";
import { journey, mailNeeds, untilGone } from "./journeys.ts";
import { assertEqual, assertError, bodyOf, format, newRecipient, requestOk, schedule, send } from "./kit.ts";
import { inAnyOrder, lastOf } from "./records.ts";
import { scheduledMessage } from "./scheduled.ts";

const days = 86_400;

/** A field of the record is what was sent. */
const asSent = (field: string): TestCase[] => [
  {
    title: "of a message that was sent",
    core: true,
    run: async (tester) => {
      const { body, looks } = await journey(tester, "success");
      for (const look of looks) assertEqual(look, field, valueIn(look, field), fieldOf(body, field));
    },
  },
  {
    title: "of a message that waits for its time",
    run: async (tester) => {
      const { body, look } = await scheduledMessage(tester);
      assertEqual(look, field, valueIn(look, field), fieldOf(body, field));
    },
  },
  {
    title: "of a message of a batch",
    run: async (tester) => {
      const { messages } = await batchJourney(tester);
      const look = await requestOk(tester, "getEmail", { path: { id: await idInBatch(tester, "bounce") } });
      assertEqual(look, field, valueIn(look, field), fieldOf(messages[1] ?? {}, field));
    },
  },
];

const valueIn = (look: Exchange, field: string): unknown => fieldOf(bodyOf(look), field);
const fieldOf = (record: Record<string, unknown>, field: string): unknown =>
  field === "to" ? inAnyOrder(record.to) : record[field];

/** A field of the record is what was sent in a message of its own. */
async function isKept(tester: Tester, field: string, value: unknown): Promise<void> {
  const look = await requestOk(tester, "getEmail", { path: { id: await send(tester, { [field]: value }) } });
  assertEqual(look, field, valueIn(look, field), fieldOf({ [field]: value }, field));
}

/** How long a message waits for its time, in days: so long that its send is well after the day it was handed in. */
const waiting = 20;

/** A message that was just sent is found until the limit has nearly passed, and no more when it is well over. */
async function isKnownFor(tester: Tester, id: string): Promise<void> {
  await tester.hook("advanceClock", { seconds: (limits.messageLookup - 1) * days });
  const look = await requestOk(tester, "getEmail", { path: { id } });
  assertEqual(look, "id", bodyOf(look).id, id);
  await tester.hook("advanceClock", { seconds: 2 * days });
  assertError(await tester.request("getEmail", { path: { id } }), 404, "not_found");
}

export const lookup: Check[] = [
  check(
    "LOOK-1",
    "looking a message up gives its record",
    async (tester) => {
      const { id, looks } = await journey(tester, "success");
      const found = lastOf(looks);
      const record = bodyOf(found);
      assert("id" in record && "status" in record && "events" in record, found, {
        expected: `the record of the message ${id}`,
        found: format(record),
      });
    },
    { needs: mailNeeds },
  ),
  check(
    "LOOK-2",
    "a record has the id that it is looked up by",
    [
      {
        title: "of a message that was sent",
        core: true,
        run: async (tester) => {
          const { id, looks } = await journey(tester, "success");
          for (const look of looks) assertEqual(look, "id", bodyOf(look).id, id);
        },
      },
      {
        title: "of a message that waits for its time",
        core: true,
        run: async (tester) => {
          const { id, look } = await scheduledMessage(tester);
          assertEqual(look, "id", bodyOf(look).id, id);
        },
      },
    ],
    { needs: mailNeeds },
  ),
  check("LOOK-3", "a record has the from address that was sent", asSent("from"), { needs: mailNeeds }),
  check(
    "LOOK-4",
    "a record has the recipients that were sent",
    [
      ...asSent("to"),
      {
        title: "of a message to three",
        needs: ["recipientDomain"],
        run: (tester) =>
          isKept(
            tester,
            "to",
            [1, 2, 3].map(() => newRecipient(tester)),
          ),
      },
    ],
    { needs: mailNeeds },
  ),
  check(
    "LOOK-5",
    "a record has the subject that was sent",
    [
      ...asSent("subject"),
      {
        title: "as long as it may be",
        run: (tester) => isKept(tester, "subject", "Order ".padEnd(limits.subjectLength, "1042")),
      },
    ],
    { needs: mailNeeds },
  ),
  check(
    "LOOK-6",
    "a record has the tags just as they were sent",
    [
      ...asSent("tags"),
      {
        title: "with values as long as they may be",
        run: (tester) => isKept(tester, "tags", { order: "1".repeat(limits.messageTagValueLength) }),
      },
      {
        title: "of a message without tags",
        run: async (tester) => {
          const look = await requestOk(tester, "getEmail", {
            path: { id: await tester.once("a sent message", send) },
          });
          assertEqual(look, "tags", bodyOf(look).tags, {});
        },
      },
    ],
    { needs: mailNeeds },
  ),
  check(
    "LOOK-22",
    "a message can be looked up until the limit has passed since it was sent",
    [
      {
        title: "",
        core: true,
        run: async (tester) => isKnownFor(tester, await send(tester)),
      },
      {
        title: "one that waited for its time first",
        core: false,
        run: async (tester) => {
          const id = await schedule(tester, waiting * days);
          await tester.hook("advanceClock", { seconds: waiting * days + 60 });
          await untilGone(tester, id);
          await isKnownFor(tester, id);
        },
      },
    ],
    { needs: ["hooks.advanceClock", ...mailNeeds], tags: ["clock"] },
  ),
  check("LOOK-23", "an id that no message of the account has is not found", [
    {
      title: "an id that nobody has",
      core: true,
      run: async (tester) =>
        assertError(
          await tester.request("getEmail", { path: { id: `none-${tester.run.unique()}` } }),
          404,
          "not_found",
        ),
    },
    {
      title: "an id like that of a scheduled message",
      run: async (tester) =>
        assertError(
          await tester.request("getEmail", { path: { id: `sched_${tester.run.unique()}` } }),
          404,
          "not_found",
        ),
    },
    {
      title: "a message of another account",
      core: true,
      needs: ["keys.otherAccount", ...mailNeeds],
      run: async (tester) => {
        const { id } = await journey(tester, "success");
        assertError(
          await tester.request("getEmail", { path: { id }, key: "otherAccount" }),
          404,
          "not_found",
        );
      },
    },
    {
      title: "a scheduled message of another account",
      needs: ["keys.otherAccount", ...mailNeeds],
      run: async (tester) => {
        const { id } = await scheduledMessage(tester);
        assertError(
          await tester.request("getEmail", { path: { id }, key: "otherAccount" }),
          404,
          "not_found",
        );
      },
    },
    {
      title: "a message of a batch of another account",
      needs: ["keys.otherAccount", ...mailNeeds],
      run: async (tester) => {
        const part = await idInBatch(tester, "success");
        assertError(
          await tester.request("getEmail", { path: { id: part }, key: "otherAccount" }),
          404,
          "not_found",
        );
      },
    },
  ]),
];
