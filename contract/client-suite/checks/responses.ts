import { type OperationId, operations } from "../../../generated/operations.ts";
import type { TestCase } from "../../engine/check.ts";
import { documented, mayOmitBody } from "../../response-checks/documented.ts";
import { type ClientCheck, type ClientTester, check, testCase } from "../engine/client-tester.ts";
import { differenceOf } from "../engine/compare.ts";
import { completeness, isKnownEvent } from "../engine/reply-checks.ts";
import {
  addsUnknown,
  errorResponse,
  respondsAfterwardsWith,
  respondsWith,
  response,
  withUnknown,
} from "../service/disturbances.ts";
import { finalError, htmlPage } from "../support/assertions.ts";
import {
  byProduct,
  callWith,
  existing,
  letters,
  newMessage,
  operationIds,
  responseExample,
  sampleCall,
  successExamples,
} from "../support/samples.ts";
import values from "../support/values.json" with { type: "json" };

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

/** A membership with fields of every kind. */
const memberships = values.memberships.map((more) => ({ ...membership, ...more }));

const contact = { email: "ada@readers.example", marketing_blocked: false };
const contacts = [
  { ...contact, lists: [] },
  { ...contact, marketing_blocked: true, lists: memberships },
];

/** Responses that the document has no example of. */
const further: Partial<Record<OperationId, unknown[]>> = {
  getEmail: values.messages.map((more) => ({ ...message, ...more })),
  listNewsletterLists: values.lists,
  listCustomFields: [{ fields: [] }],
  upsertContact: memberships,
  getContact: contacts,
  unsubscribeContact: contacts,
};

const large = {
  ...message,
  events: Array.from({ length: 9_000 }, (_, index) => ({
    type: index % 2 === 0 ? "sent" : "bounced",
    at: new Date(Date.UTC(2027, 0, 31, 8, 0, index)).toISOString(),
    detail: index % 2 === 0 ? null : `550 5.1.1 user unknown (${index}): ${letters.repeat(6)}`,
  })),
};

export const responseChecks: ClientCheck[] = [
  ...operationIds.map((operation) =>
    check(...completeness[operation], returned(operation, further[operation])),
  ),
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
    operationIds.map((operation) =>
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

const at = "2027-01-31T08:45:00Z";
const events = [
  { type: "opened_by_robot", at, detail: "Robot 7" },
  { type: "", at, detail: null },
  { type: "delivered.v2", at, detail: "{}" },
];

export const unknownTypeChecks: ClientCheck[] = [
  check(
    "GEN-11",
    "a message with events of unknown types is returned",
    successExamples("getEmail")
      .filter(([name]) => name === "sent" || name === "bounced")
      .map(([name, body]) =>
        testCase(`a ${name} message`, { operation: "getEmail" }, async (tester) => {
          const own = (body as { events: unknown[] }).events;
          const made = response(200, {
            body: { ...(body as object), events: [events[0], ...own, ...events] },
          });
          const disturb = [respondsWith(made, "responds with unknown event types")];
          const called = await tester.call("getEmail", { path: { id: "msg_events" }, disturb });
          const { events: found } = Object(called.result) as { events?: unknown };
          const known = Array.isArray(found) ? found.filter(isKnownEvent) : found;
          const difference = differenceOf(own, known, { lenient: true });
          called.assert(
            difference === undefined,
            "the known events as they are",
            `events in which, without those of unknown types, ${difference}`,
          );
        }),
      ),
  ),
  check(
    "GEN-12",
    "an error of an unknown type is an error with its status",
    byProduct(async (tester, ids) => {
      // Errors that the document does not have.
      for (const operation of ids)
        for (const { status, type } of values.unknownErrors) {
          const made = errorResponse(status, type, { fields: { later: ["Was added later."] } });
          const title = `responds with ${status} ${type}`;
          const called = await callWith(tester, operation, made, { title });
          const error = finalError(called);
          const isRight = error.kind === "response" && error.status === status;
          called.assert(isRight, `an error with status ${status}`);
          called.assert((error.type ?? type) === type, `the type ${type}, or none`);
        }
    }),
  ),
  check("GEN-10", "unknown properties of an error change nothing", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      const called = await tester.call("getEmail", { path: { id: "msg_none" }, disturb: [addsUnknown] });
      const { status, type } = called.error;
      called.assert(status === 404 && type === "not_found", "an error 404 not_found");
    }),
  ]),
];

const json = { "content-type": "application/json" };

const mediaTypes = [
  "application/json; charset=utf-8",
  'application/json;charset="UTF-8"',
  "Application/JSON",
];
const unreadable = [
  { title: "an HTML page", more: htmlPage },
  { title: "no body", more: { headers: json } },
  { title: "half a JSON text", more: { headers: json, body: '{"id":"msg_1","events":[{"type":"se' } },
];

const successOf = (operation: OperationId): number => Number(operations[operation].success[0]) || 200;

/** Whether the body of a success is specified. */
function hasBody(operation: OperationId): boolean {
  const row = documented(operation, successOf(operation));
  return row !== undefined && !mayOmitBody(row);
}

export const unreadableChecks: ClientCheck[] = [
  check("GEN-4", "a success is read whatever the form of its media type is", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      const typed = (type: string) => {
        const made = response(200, { headers: { "content-type": type }, body: responseExample("getEmail") });
        const disturb = [respondsWith(made, `responds with the media type ${type}`)];
        return tester.call("getEmail", { ...sampleCall("getEmail"), disturb, isCompared: false });
      };
      const { result } = (await typed("application/json")).about("LOOK-1");
      for (const type of mediaTypes) {
        const called = await typed(type);
        const difference = differenceOf(result, called.result);
        called.assert(
          difference === undefined,
          "the same result as with application/json",
          `a result in which ${difference}`,
        );
      }
    }),
  ]),
  check("GEN-4", "a success that is not JSON is an error, and a message is not sent again", [
    ...byProduct(async (tester, ids) => {
      for (const operation of ids.filter(hasBody))
        for (const { title, more } of unreadable) {
          const made = response(successOf(operation), more);
          const options = { title: `responds with ${made.status} and ${title}` };
          finalError(await callWith(tester, operation, made, options));
        }
    }),
    testCase("after a send", { operation: "sendEmail" }, async (tester) => {
      const made = response(202, { headers: json, body: '{"id":"msg_1","to":[' });
      const disturb = Array(20).fill(respondsAfterwardsWith(made));
      finalError(await tester.call("sendEmail", { body: newMessage(), disturb }));
    }),
  ]),
];
