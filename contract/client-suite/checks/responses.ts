import { type OperationId, operations } from "../../../generated/operations.ts";
import type { TestCase } from "../../engine/check.ts";
import { type ClientCheck, check, testCase } from "../engine/client-check.ts";
import type { ClientTester } from "../engine/client-tester.ts";
import { addsUnknown, respondsWith, response, withUnknown } from "../service/disturbances.ts";
import { sampleCall } from "../support/calls.ts";
import { responseExample, successExamples } from "../support/examples.ts";
import { existing } from "../support/existing.ts";
import { umlauts } from "../support/values.ts";

/** Where the status of a success is unspecified, a client has to accept any that comes with a body. */
const statuses = [200, 201, 202, 203, 207];

/** A case in which a client receives each response of an operation in the document, and further ones, with each status that it may have. */
const returned = (operation: OperationId, further: unknown[] = []): TestCase<ClientTester>[] => [
  testCase("", { operation }, async (tester) => {
    const bodies = [...successExamples(operation).map(([, body]) => body), ...further];
    const [usual] = operations[operation].success.map(Number);
    const responses = [
      ...bodies.map((body) => response(usual || 200, { body })),
      ...(usual ? [] : statuses.map((status) => response(status, { body: bodies[0] }))),
    ];
    for (const made of responses) {
      const called = await tester.call(operation, {
        ...sampleCall(operation),
        disturb: [respondsWith(made)],
      });
      void called.result;
    }
  }),
];

const message = responseExample("getEmail");
const membership = responseExample("upsertContact");

/** A message in states that the document has no example of. */
const messages: Record<string, unknown>[] = [
  { ...message, status: "queued", sent_at: null, events: [], tags: {} },
  { ...message, status: "delayed", subject: umlauts, to: ["a+b@readers.example", "c@readers.example"] },
  { ...message, status: "failed", status_description: "", sent_at: "2027-01-31T08:30:02.125Z" },
  { ...message, status: "rejected", tags: { empty: "", "a:b.c-d_e": umlauts, constructor: "x" } },
];

/** A membership with fields of every kind. */
const memberships = [
  {
    ...membership,
    list_id: 2 ** 53 - 1,
    first_name: umlauts,
    last_name: "",
    tags: ["", "ä", "customer"],
    fields: {
      city: "",
      orders: 0.1,
      visits: 2 ** 53 - 1,
      debt: -12.75,
      birthday: "1984-02-29",
      note: "12",
      x_Y: null,
    },
  },
];

const lists = [{ lists: [] }, { lists: [{ id: 2 ** 53 - 1, name: umlauts, double_opt_in: false }] }];

const contact = { email: "ada@readers.example", marketing_blocked: false };
const contacts = [
  { ...contact, lists: [] },
  { ...contact, marketing_blocked: true, lists: memberships },
];

const large = {
  ...message,
  events: Array.from({ length: 9_000 }, (_, index) => ({
    type: index % 2 === 0 ? "sent" : "bounced",
    at: new Date(Date.UTC(2027, 0, 31, 8, 0, index)).toISOString(),
    detail: index % 2 === 0 ? null : `550 5.1.1 user unknown (${index}): ${umlauts.repeat(6)}`,
  })),
};

export const responseChecks: ClientCheck[] = [
  check("SEND-31", "the response to a send is returned completely", returned("sendEmail")),
  check("BATCH-9", "the response to a batch is returned completely", returned("sendBatch")),
  check("LOOK-1", "a message is returned completely, in every state", returned("getEmail", messages)),
  check("SCHED-9", "a rescheduling is reported as done", returned("rescheduleEmail")),
  check("SCHED-15", "a cancellation is reported as done", returned("cancelEmail")),
  check("LIST-1", "the lists are returned completely", returned("listNewsletterLists", lists)),
  check(
    "LIST-5",
    "the custom fields are returned completely",
    returned("listCustomFields", [{ fields: [] }]),
  ),
  check("CONT-3", "a membership is returned completely", returned("upsertContact", memberships)),
  check("CONT-23", "a contact is returned completely", returned("getContact", contacts)),
  check(
    "UNSUB-9",
    "an unsubscribed contact is returned completely",
    returned("unsubscribeContact", contacts),
  ),
  check("ME-1", "the account is returned", returned("getMe")),
  check("LOOK-15", "a response of several megabytes is returned completely", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      const made = response(200, { body: large });
      const disturb = [respondsWith(made, `responds with ${made.body.length} bytes`)];
      void (await tester.call("getEmail", { path: { id: "msg_large" }, disturb })).result;
    }),
  ]),
  check(
    "GEN-10",
    "unknown properties and headers of a response change nothing",
    (Object.keys(operations) as OperationId[]).map((operation) =>
      testCase(operation, { operation, core: operation === "getEmail" }, async (tester) => {
        tester.mustHave(operation);
        const path = await existing(tester, operation);
        // The service responds with one of them only, such as a message that has no bounce.
        const examples = successExamples(operation).map(([name, body]) =>
          respondsWith(
            response(200, { body: withUnknown(body) }),
            `responds with ${name} and unknown properties`,
          ),
        );
        for (const disturbance of [addsUnknown, ...examples])
          void (await tester.call(operation, { ...sampleCall(operation), path, disturb: [disturbance] }))
            .result;
      }),
    ),
  ),
];
