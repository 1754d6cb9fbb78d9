import { limits } from "../../generated/limits.ts";
import { methodsByPath, type OperationId, operations } from "../../generated/operations.ts";
import { schemas } from "../../generated/validators/responses.js";
import { assert, configured } from "../engine/assert.ts";
import { type Check, check, type Need, type TestCase, testCase } from "../engine/check.ts";
import { missingNeeds } from "../engine/run-case.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, namedFields, pathOf } from "../exchange.ts";
import {
  assertClientError,
  assertError,
  assertFailNextWorked,
  assertFieldError,
  assertNoOtherField,
  assertRejected,
  assertSuccess,
  format,
  isWithin,
} from "../support/assertions.ts";
import { assertNoContact, newContactBody, unknownFieldKey } from "../support/contacts.ts";
import { invalidCases, messageFrom, unknownSender, unpublishedTemplate } from "../support/message-cases.ts";
import {
  batchOf,
  emailNeeds,
  message,
  messageOfOther,
  type SimulatedRecipient,
  sendBy,
  senderOn,
  sendKinds,
  sends,
  simulatedRecipient,
} from "../support/messages.ts";
import { chargeCase } from "../support/quota.ts";
import { burstCase } from "../support/rate-limit.ts";
import {
  type ChangingOperation,
  casePerOperation,
  needsOf,
  operationsOfProduct,
  rejectChange,
  rejectEach,
  requestToReject,
  type Spoil,
} from "../support/requests.ts";
import { everySuppressed } from "../support/suppressed-recipients.ts";
import { type Attempt, assertNothingChanges } from "../support/unchanged.ts";

/** The operations with a body, which can be invalid. */
type WithBody = {
  [Id in OperationId]: (typeof operations)[Id]["requestBody"] extends null ? never : Id;
}[OperationId];
const withBody = operationsOfProduct().filter((id) => operations[id].requestBody !== null);

function without(field: string, whole: Record<string, unknown>): Record<string, unknown> {
  const { [field]: _, ...rest } = whole;
  return rest;
}

/** Bodies that are invalid only in the named properties. */
const invalidBodies: Record<WithBody, (tester: Tester) => { names: string[]; body: unknown }> = {
  sendEmail: (tester) => ({
    names: ["from", "to", "reply_to"],
    body: without("from", message(tester, { to: "not a list", reply_to: "not an address" })),
  }),
  sendBatch: (tester) => ({
    names: ["emails.0.subject", "emails.2.to"],
    body: batchOf(
      without("subject", message(tester)),
      message(tester),
      message(tester, { to: ["not an address"] }),
    ),
  }),
  rescheduleEmail: () => ({ names: ["scheduled_at"], body: {} }),
  upsertContact: () => ({ names: ["email", "list_id"], body: { email: "not an address" } }),
  unsubscribeContact: () => ({ names: ["list_id", "reason"], body: { list_id: "all", reason: ["none"] } }),
};

export const errors: Check[] = [
  check(
    "ERR-10",
    "missing and malformed properties are rejected with 422 invalid_request, and error.fields names each of them",
    casePerOperation(withBody, withBody, async (tester, operation) => {
      const { names, body } = invalidBodies[operation as WithBody](tester);
      const options = await requestToReject(tester, operation);
      const exchange = await tester.request(operation, { ...options, body });
      assertError(exchange, 422, "invalid_request", ...names);
      const named = namedFields(exchange);
      const missing = names.filter((name) => !named.some((one) => isWithin(one, name)));
      assert(missing.length === 0, exchange, {
        expected: `error.fields with entries for ${names.join(", ")}`,
        found: named.length === 0 ? "no entries" : `entries for ${named.join(", ")}`,
      });
      assertNoOtherField(exchange, names);
    }),
  ),
  check(
    "ERR-13",
    "a server failure is reported with its status, and the request succeeds when sent again",
    { needs: ["hooks.failNext"], alone: true },
    (["500", "502", "503"] as const).map((failure) =>
      testCase(failure, { core: failure !== "503" }, async (tester: Tester) => {
        await tester.hook("failNext", { failure, requests: 1 });
        const exchange = assertFailNextWorked(await tester.request("getMe"));
        const again = await tester.request("getMe");
        assert(exchange.status === Number(failure), exchange, {
          expected: `status ${failure}`,
          found: `status ${exchange.status}`,
        });
        assertSuccess(again);
      }),
    ),
  ),
  check("ERR-16", "a 429 rate_limited has the error object", { tags: ["burst"] }, [
    burstCase("", "rejection", (exchange) =>
      assert(exchange.status !== 429 || schemas.ErrorResponse(exchange.json), exchange, {
        expected: "the error object",
        found: format(exchange.json),
      }),
    ),
  ]),
];

const withText =
  (textOf: (json: string) => string, headers: Record<string, string> = {}): Spoil =>
  ({ body, ...valid }) => ({ ...valid, rawBody: textOf(JSON.stringify(body)), headers });

/** Bodies that are not JSON; each begins or ends like the valid one, if it has anything of it. */
const notJson: readonly Spoil[] = [
  withText(() => "not JSON"),
  withText((json) => json.slice(0, -1)),
  withText((json) => `${json}}`),
  withText((json) => `body=${encodeURIComponent(json)}`, {
    "content-type": "application/x-www-form-urlencoded",
  }),
];

/** An empty body, and one that is JSON without being an object. An unsubscribe needs no body. */
const withoutObject: readonly Spoil[] = [withText(() => ""), withText(() => "null")];

/** One case per send. Whether it had an effect shows in the quota. */
const ofSend = (operation: OperationId, bodyOf: (tester: Tester) => Record<string, unknown>): TestCase =>
  testCase(operation, { operation, core: operation === "sendEmail", needs: emailNeeds }, (tester) =>
    rejectEach(
      tester,
      operation,
      { body: bodyOf(tester) },
      [...notJson, ...withoutObject],
      assertClientError,
    ),
  );

/** One case per operation that changes a message or contact, which stays as it was. */
const ofChange = (
  operation: Exclude<ChangingOperation, "cancelEmail">,
  ways: readonly Spoil[] = [...notJson, ...withoutObject],
): TestCase =>
  testCase(
    operation,
    { operation, core: operation === "upsertContact", needs: needsOf(operation) },
    (tester) => rejectChange(tester, operation, ways, assertClientError),
  );

export const unreadableBodies: Check[] = [
  check(
    ["ERR-10", "ERR-13"],
    "a body that is not a JSON object is rejected with a client error, and changes nothing",
    [
      ofSend("sendEmail", message),
      ofSend("sendBatch", (tester) => batchOf(message(tester))),
      chargeCase("no quota is used", "unreadable", {
        operation: "sendEmail",
        core: false,
      }),
      ofChange("rescheduleEmail"),
      ofChange("upsertContact"),
      ofChange("unsubscribeContact", notJson),
    ],
  ),
];

type MessageOf = (tester: Tester) => Record<string, unknown>;

/** Messages that are rejected, each for another reason; those that need a setting are sent if it is there. */
const rejectedMessages: [reason: string, needs: readonly Need[], messageOf: MessageOf][] = [
  ["without a subject", [], (tester) => message(tester, { subject: undefined })],
  ["with a space in the name of a tag", [], (tester) => message(tester, { tags: { "order id": "1042" } })],
  ["from an unknown domain", [], (tester) => message(tester, { from: unknownSender(tester) })],
  ["from a domain of another account", ["domains.ofRole.otherAccount"], messageOfOther],
  ["from an unfinished domain", ["domains.unfinished"], messageFrom(senderOn("unfinished"))],
  ["from a stopped domain", ["domains.stopped"], messageFrom(senderOn("stopped"))],
  ["to suppressed recipients alone", ["suppressed"], (tester) => message(tester, everySuppressed(tester))],
  ["with an unpublished template", ["unpublishedTemplate"], unpublishedTemplate],
];

/** Each rejected message on its own, scheduled, and after a valid one in a batch. */
const rejectedSends = ({ settings }: Tester): Attempt[] =>
  rejectedMessages
    .filter(([, needs]) => missingNeeds(settings, needs).length === 0)
    .flatMap(([reason, needs, messageOf]) =>
      // The response to a batch with such a message is unspecified.
      sendKinds.slice(0, needs.includes("suppressed") ? -1 : undefined).map(
        (kind): Attempt =>
          async (tester) => {
            const fine = kind === "sendBatch" ? [message(tester)] : [];
            const exchange = await sendBy(tester, kind, [...fine, messageOf(tester)]);
            const expected = `a status from 400 to 499 for a message ${reason}`;
            assert(!isSuccess(exchange), exchange, { expected, found: `status ${exchange.status}` });
            assertRejected(exchange);
            return exchange;
          },
      ),
    );

export const rejections: Check[] = [
  check(
    ["BATCH-7", "LIMIT-5", "ERR-9", "ERR-10"],
    "a rejected send or batch sends nothing, counts nothing and changes no other message",
    { needs: emailNeeds, alone: true, core: false, operation: "sendEmail" },
    (tester) => assertNothingChanges(tester, "email", rejectedSends(tester)),
  ),
];

/** Requests to unknown paths. */
const unknownPaths = [
  { method: "GET", path: (name: string) => `/api/v1/${name}` },
  { method: "POST", path: (name: string) => `/api/v1/newsletter/${name}` },
  { method: "GET", path: (name: string) => `/api/v1/me/${name}` },
  { method: "DELETE", path: (name: string) => `/api/v1/newsletter/lists/${name}/${name}` },
];

/** The methods of the API. Others, such as HEAD and OPTIONS, may be supported where the document does not say so. */
const methodsOfApi = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const mayBeAllowed = ["HEAD", "OPTIONS"];

/** A method that no path of the document supports, with a body that another method of the path takes. */
const unsupportedMethod = "PUT";

/** The unsupported methods of a path. Whether that of a batch is also the path of a message is unspecified. */
const unsupported = (address: string, methods: readonly string[]): string[] =>
  address.endsWith("/batch")
    ? [unsupportedMethod]
    : methodsOfApi.filter((method) => !methods.includes(method)).sort((one) => (one === "PUT" ? -1 : 1));

/** The response of a path with existing parameters to an unsupported method, which no header makes another one. */
const responseTo = (tester: Tester, method: string, address: string, other: string): Promise<Exchange> =>
  tester.once(`${method} ${address}`, async (own) => {
    const all = operationsOfProduct().filter((id) => operations[id].path === address);
    const operation = all.find((id) => operations[id].requestBody !== null) ?? all[0] ?? "getMe";
    const valid = await requestToReject(own, operation);
    const headers = { "X-HTTP-Method-Override": other };
    const body = method === "GET" ? {} : { body: valid.body ?? {} };
    return own.rawRequest({ method, path: pathOf(address, valid.path), headers, ...body });
  });

const casePerPath = (run: (exchange: Exchange, method: string, methods: readonly string[]) => void) =>
  Object.entries(methodsByPath).flatMap(([address, methods]) =>
    unsupported(address, methods).map((method) =>
      testCase(
        method === unsupportedMethod ? address : `${method} ${address}`,
        {
          core:
            method === unsupportedMethod &&
            ["/api/v1/emails/{id}", "/api/v1/newsletter/contacts"].includes(address),
        },
        async (tester: Tester) =>
          run(await responseTo(tester, method, address, methods.at(-1) ?? ""), method, methods),
      ),
    ),
  );

export const gatewayResponses: Check[] = [
  check("ERR-6", "an unknown path below the version prefix is rejected with 404 not_found", [
    ...unknownPaths.map(({ method: one, path }) =>
      testCase(`${one} ${path("...")}`, async (tester: Tester) => {
        const name = `contract-${tester.run.unique()}`;
        assertError(await tester.rawRequest({ method: one, path: path(name) }), 404, "not_found");
      }),
    ),
    testCase("GET below an existing message", { needs: emailNeeds }, async (tester) => {
      const { path: message } = await requestToReject(tester, "cancelEmail");
      const path = `${pathOf(operations.getEmail.path, message)}/contract-${tester.run.unique()}`;
      assertError(await tester.rawRequest({ method: "GET", path }), 404, "not_found");
    }),
  ]),
  check(
    "ERR-7",
    "an unsupported method is rejected with 405 method_not_allowed",
    casePerPath((exchange) => assertError(exchange, 405, "method_not_allowed")),
  ),
  check(
    "HEAD-10",
    "a 405 lists the supported methods in Allow, and no others",
    casePerPath((exchange, method, methods) => {
      const { allow } = exchange.headers;
      const named = (allow ?? "").split(",").map((one) => one.trim());
      const more = exchange.request.path.endsWith("/batch") ? methodsOfApi : mayBeAllowed;
      const isRight =
        methods.every((one) => named.includes(one)) &&
        named.every((one) => one !== method && [...methods, ...more].includes(one));
      assert(isRight, exchange, {
        expected: `Allow: ${methods.join(", ")}`,
        found: allow === undefined ? "no such header" : `Allow: ${allow}`,
      });
    }),
  ),
];

type Changes = (tester: Tester) => Record<string, unknown>;

/** A request in which only a later entry of a property is invalid. */
const contactCase = (field: string, changes: Changes): TestCase[] => [
  testCase(
    "upsertContact",
    { operation: "upsertContact", core: false, needs: ["lists.plain"] },
    async (tester) => {
      const body = newContactBody(tester, changes(tester));
      assertFieldError(await tester.request("upsertContact", { body }), field);
      await assertNoContact(tester, body.email);
    },
  ),
];

/** A recipient used in no other property, followed by an invalid one. */
const secondAddress =
  (field: string, local: SimulatedRecipient): Changes =>
  (tester) => ({ [field]: [simulatedRecipient(tester, local), "not an address"] });

/** A valid text value, followed by another value. */
const afterText = (tester: Tester, key: string, value: unknown): Record<string, unknown> => ({
  fields: { [configured(tester.settings.fixtures.fields?.text, "fields.text")]: "Leeds", [key]: value },
});

/** What of a message is validated in every entry, not only in the first. */
const everyEntryOfMessages: [id: string, what: string, field: string, changes: Changes][] = [
  ["ERR-10", "every entry of to", "to", secondAddress("to", "success")],
  ["SEND-18", "every entry of cc", "cc", secondAddress("cc", "complaint")],
  ["SEND-19", "every entry of bcc", "bcc", secondAddress("bcc", "bounce")],
  ["SEND-22", "the name of every tag", "tags", () => ({ tags: { order: "1042", "order id": "1042" } })],
  [
    "SEND-23",
    "the value of every tag",
    "tags",
    () => ({ tags: { order: "1042", note: "1".repeat(limits.messageTagValueLength + 1) } }),
  ],
  [
    "SEND-26",
    "the name of every header",
    "headers",
    () => ({ headers: { "X-Order": "1042", "Reply-To": "ada@example.com" } }),
  ],
  [
    "SEND-27",
    "the value of every header",
    "headers",
    () => ({ headers: { "X-Order": "1042", "X-Note": "one line\r\nanother" } }),
  ],
];

export const everyEntry: Check[] = [
  ...everyEntryOfMessages.map(([id, what, field, changes]) =>
    check(
      id,
      `${what} is validated`,
      { needs: emailNeeds },
      invalidCases(field, (tester) => message(tester, changes(tester)), { kinds: sends, core: false }),
    ),
  ),
  check(
    "CONT-11",
    "the key of every custom field is validated",
    { needs: ["fields.text"] },
    contactCase("fields", (tester) => afterText(tester, unknownFieldKey(tester), "Leeds")),
  ),
  check(
    "CONT-12",
    "the value of every custom field is validated",
    { needs: ["fields.text", "fields.date"] },
    contactCase("fields", (tester) =>
      afterText(tester, configured(tester.settings.fixtures.fields?.date, "fields.date"), "next Tuesday"),
    ),
  ),
  check(
    "CONT-15",
    "every tag of a contact is validated",
    contactCase("tags", () => ({ tags: ["contract-bread", "b".repeat(limits.contactTagLength + 1)] })),
  ),
];
