import { type OperationId, operations } from "../../../generated/operations.ts";
import { withCodes } from "../../../lib/text.ts";
import { document } from "../../document.ts";
import { documented, mayOmitBody } from "../../response-checks/documented.ts";
import { type ClientCheck, type ClientTester, check, testCase } from "../engine/client-tester.ts";
import { differenceText } from "../engine/compare.ts";
import { completeness } from "../engine/reply-checks.ts";
import {
  errorResponse,
  json,
  respondsAfterwardsWith,
  respondsWith,
  response,
  unknownHeaders,
  withUnknown,
} from "../service/disturbances.ts";
import { type Disturbance, pause } from "../service/recording-server.ts";
import { assertError, finalError, htmlPage } from "../support/assertions.ts";
import { generatedResponses } from "../support/generated-bodies.ts";
import {
  byProduct,
  callWith,
  letters,
  newMessage,
  operationIds,
  responseExample,
  successExamples,
  successOf,
} from "../support/samples.ts";
import values from "../support/values.json" with { type: "json" };

/** The JSON of a response in one of several forms. */
function writtenAs(body: unknown, index: number): string {
  const json = JSON.stringify(body);
  if (index % 3 === 0) return json;
  return index % 3 === 1 ? withCodes(json, /[^ -~]/g) : `\r\n ${JSON.stringify(body, null, 2)}\n`;
}

/** Responses with empty values: generated ones have none. */
const emptied = (operation: OperationId): unknown[] =>
  ((values.responses as Record<string, object[]>)[operation] ?? []).map((empty) => ({
    ...responseExample(operation),
    ...empty,
  }));

/** Lets a client receive each response of an operation in the document, and generated ones, with each status that it may have. */
async function receiveAll(tester: ClientTester, operation: OperationId): Promise<void> {
  const generated = generatedResponses(operation).map((body, index) => writtenAs(body, index));
  const bodies = [...successExamples(operation).map(([, body]) => body), ...emptied(operation), ...generated];
  const isOpen = operations[operation].success[0] === "2XX";
  const responses = [
    ...bodies.map((body) => response(successOf(operation), { headers: json, body })),
    // If the status of a success is unspecified, a client has to accept any that comes with a body.
    ...(isOpen ? [200, 201, 202, 203, 207] : []).map((status) => response(status, { body: bodies[0] })),
  ];
  for (const made of responses) void (await callWith(tester, operation, made)).result;
}

const message = responseExample("getEmail");
const large = {
  ...message,
  events: Array.from({ length: 9_000 }, (_, index) => ({
    type: index % 2 === 0 ? "sent" : "bounced",
    at: new Date(Date.UTC(2027, 0, 31, 8, 0, index)).toISOString(),
    detail: index % 2 === 0 ? null : `550 5.1.1 user unknown (${index}): ${letters.repeat(6)}`,
  })),
};

/** Two responses with the message that the request is about, once both have arrived or the second one does not arrive. One is the last. */
function ownMessages(last: number): Disturbance[] {
  const both = Promise.withResolvers<void>();
  return [0, 1].map((index) => ({
    title: "responds with the message that the request is about",
    handle: async (request, forward) => {
      if (index === 1) both.resolve();
      await Promise.race([both.promise, pause(1_000)]);
      if (index === last) await pause(100);
      const id = request.target.split("/").at(-1);
      const body = { ...message, id, subject: `The subject of ${id}` };
      return respondsWith(response(200, { body })).handle(request, forward);
    },
  }));
}

export const responseChecks: ClientCheck[] = [
  ...operationIds.map((operation) =>
    check(...completeness[operation], { operation }, (tester) => receiveAll(tester, operation)),
  ),
  check("LOOK-1", "two calls at the same time have their own results", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      const calls = ["msg_1", "msg_2"].map((id) => ({ operation: "getEmail" as const, path: { id } }));
      for (const last of [0, 1]) {
        const called = await tester.callAtOnce(calls, ownMessages(last));
        for (const one of called) void [one.request, one.result];
        const [one, other] = called.flatMap(({ wire }) => wire);
        if (one !== undefined && other !== undefined && one.endedAt < other.receivedAt)
          tester.information.add(
            "Calls at the same time are not tested: the driver makes one after the other.",
          );
      }
    }),
  ]),
  check("LOOK-15", "a response of several megabytes is returned completely", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      const made = response(200, { body: large });
      const title = `responds with ${made.body.length} bytes`;
      void (await callWith(tester, "getEmail", made, { title })).result;
    }),
  ]),
  check(
    "GEN-10",
    "unknown properties and headers of a response change nothing",
    operationIds.map((operation) =>
      testCase(operation, { operation, core: operation === "getEmail" }, async (tester) => {
        // The service responds with one of them only, such as a message that has no bounce.
        for (const [name, body] of successExamples(operation)) {
          const made = response(successOf(operation), { headers: unknownHeaders, body: withUnknown(body) });
          const title = `responds with ${name} and unknown properties`;
          void (await callWith(tester, operation, made, { title, comparedAs: "GEN-10" })).result;
        }
      }),
    ),
  ),
];

const knownStatuses = ["MessageStatus", "MembershipStatus"].flatMap(
  (name) => document.components?.schemas?.[name]?.enum as unknown[],
);

/** A value with this as each status in it. */
const withStatus = (value: unknown, status: string | null): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (name, inner: unknown) => (name === "status" ? status : inner));

const at = "2027-01-31T08:45:00Z";
const events = [
  { type: "opened_by_robot", at, detail: "Robot 7" },
  { type: "", at, detail: null },
  { type: "delivered.v2", at, detail: "{}" },
];

export const unknownTypeChecks: ClientCheck[] = [
  ...(["getEmail", "upsertContact", "getContact", "unsubscribeContact"] as const).map((operation) =>
    check(completeness[operation][0], "an unknown status is not returned as another one", [
      testCase(operation, { operation }, async (tester) => {
        const body = withStatus(responseExample(operation), "archived");
        const options = { title: "responds with an unknown status", comparedAs: null };
        const called = await callWith(tester, operation, response(successOf(operation), { body }), options);
        // The service does not say that it adds statuses: a client may reject them.
        if (called.reply !== undefined && "error" in called.reply) {
          tester.information.add("The client rejects a status that the document does not have.");
          return;
        }
        const { result } = called;
        const difference = differenceText(withStatus(body, null), withStatus(result, null), {
          lenient: true,
        });
        const text = JSON.stringify(result ?? null);
        const known = knownStatuses.find((one) => text.includes(`"status":"${one}"`));
        const isRight = difference === undefined && known === undefined;
        const found = `a result in which ${difference ?? `a status is ${known}`}`;
        called.assert(isRight, "an unknown status or none, and the rest", found);
      }),
    ]),
  ),
  check("GEN-11", "a message with events of unknown types is returned", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      for (const [name, body] of successExamples("getEmail")) {
        const { events: own, ...message } = body as { events: unknown[] };
        const made = response(200, { body: { ...message, events: [events[0], ...own, ...events] } });
        const options = { title: `responds with ${name} and unknown event types`, comparedAs: "GEN-11" };
        void (await callWith(tester, "getEmail", made, options)).result;
      }
    }),
  ]),
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
      const error = { type: "not_found", message: "There is no such message.", request_id: "req_1" };
      const made = response(404, { headers: unknownHeaders, body: withUnknown({ error }) });
      assertError(await callWith(tester, "getEmail", made), 404, "not_found");
    }),
  ]),
];

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

function hasBody(operation: OperationId): boolean {
  const row = documented(operation, successOf(operation));
  return row !== undefined && !mayOmitBody(row);
}

export const unreadableChecks: ClientCheck[] = [
  check("GEN-4", "a success is read whatever the form of its media type is", [
    testCase("", { operation: "getEmail" }, async (tester) => {
      for (const type of mediaTypes) {
        const made = response(200, { headers: { "content-type": type }, body: responseExample("getEmail") });
        const options = { title: `responds with the media type ${type}`, comparedAs: "GEN-4" };
        void (await callWith(tester, "getEmail", made, options)).result;
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
