import { limits } from "../../generated/limits.ts";
import { methodsByPath, type OperationId, operations } from "../../generated/operations.ts";
import { schemas } from "../../generated/validators/responses.js";
import { invalidSends } from "../case-requirements/validation-checks.ts";
import { assert, configured } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import { missingNeeds } from "../engine/run-case.ts";
import { isInRun, type Settings } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, namedFields, pathOf } from "../exchange.ts";
import {
  assertError,
  assertFailNextWorked,
  assertFieldError,
  assertNoOtherField,
  assertStatusCode,
  assertSuccess,
  entriesText,
  format,
  isWithin,
  type Json,
} from "../support/assertions.ts";
import { burstCase } from "../support/burst.ts";
import { assertNoContact, newContactBody, unknownFieldKey } from "../support/contacts.ts";
import { messageCases, namesOf, rejectedMessages } from "../support/message-cases.ts";
import {
  batchOf,
  emailNeeds,
  message,
  sendBy,
  sendKinds,
  sends,
  simulatedRecipient,
} from "../support/messages.ts";
import {
  casePerOperation,
  lightestOperation,
  operationsOfProduct,
  requestToReject,
  validRequest,
} from "../support/requests.ts";
import { type Attempt, assertNothingChanges } from "../support/unchanged.ts";

/** The operations with a body, which can be invalid. */
type WithBody = {
  [Id in OperationId]: (typeof operations)[Id]["requestBody"] extends null ? never : Id;
}[OperationId];
const withBody = operationsOfProduct().filter((id) => operations[id].requestBody !== null);

/** Bodies that are invalid only in the named properties. */
const invalidBodies: Record<WithBody, (tester: Tester) => { names: string[]; body: unknown }> = {
  sendEmail: (tester) => ({
    names: ["from", "to", "reply_to"],
    body: message(tester, { from: undefined, to: "not a list", reply_to: "not an address" }),
  }),
  sendBatch: (tester) => ({
    names: ["emails.0.subject", "emails.2.to"],
    body: batchOf(
      message(tester, { subject: undefined }),
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
        found: entriesText(named),
      });
      assertNoOtherField(exchange, names);
    }),
  ),
  check(
    "ERR-13",
    "a server failure is reported with its status, and the request succeeds when sent again",
    { needs: ["hooks.failNext"], alone: true },
    (["500", "502", "503"] as const).map((failure) =>
      testCase(
        failure,
        // Only a 502 or a 503 shows whether it has the error object.
        { core: failure !== "503", verifies: failure === "500" ? [] : ["ERR-14"] },
        async (tester: Tester) => {
          const operation = lightestOperation(tester);
          const valid = await validRequest(tester, operation);
          await tester.hook("failNext", { failure, requests: 1 });
          const exchange = assertFailNextWorked(await tester.request(operation, valid));
          const again = await tester.request(operation, valid);
          assertStatusCode(exchange, Number(failure));
          assertSuccess(again);
        },
      ),
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

/** Each rejected message on its own, scheduled, and after a valid one in a batch. */
const rejectedSends = ({ settings }: Tester): Attempt[] =>
  rejectedMessages
    .filter(({ needs = [] }) => missingNeeds(settings, needs).length === 0)
    .flatMap(({ id, title, needs, messageOf, assertRejection }) =>
      // The response to a batch with such a message is unspecified.
      sendKinds.slice(0, needs?.includes("suppressed") ? -1 : undefined).map((kind): Attempt => {
        const attempt = async (tester: Tester): Promise<Exchange> => {
          const fine = kind === "sendBatch" ? [message(tester)] : [];
          const exchange = await sendBy(tester, kind, [...fine, messageOf(tester)]);
          const expected = `a status from 400 to 499 for a message with ${title}`;
          assert(!isSuccess(exchange), exchange, { expected, found: `status ${exchange.status}` });
          assertRejection(exchange);
          return exchange;
        };
        return Object.assign(attempt, { ids: [kind === "sendBatch" ? "BATCH-7" : id, "LIMIT-5"] });
      }),
    );

export const rejections: Check[] = [
  check(
    ["BATCH-7", "LIMIT-5", "ERR-9", "ERR-10"],
    "a rejected send or batch sends nothing, counts nothing and changes no other message",
    { needs: emailNeeds, alone: true, core: false, operation: "sendEmail" },
    (tester) =>
      assertNothingChanges(tester, "sends", [...rejectedSends(tester), ...invalidSends(tester.settings)]),
  ),
];

const unknownPaths = [
  { method: "GET", path: (name: string) => `/api/v1/${name}` },
  { method: "POST", path: (name: string) => `/api/v1/newsletter/${name}` },
  { method: "GET", path: (name: string) => `/api/v1/me/${name}` },
  { method: "DELETE", path: (name: string) => `/api/v1/newsletter/lists/${name}/${name}` },
];

/** A method that no path of the document supports, with a body that another method of the path takes. */
const unsupportedMethod = "PUT";

/** The methods of the API. HEAD and OPTIONS may be supported if the document does not say so. */
const methodsOfApi = [unsupportedMethod, "GET", "POST", "PATCH", "DELETE"];

/** The unsupported methods of a path. Whether that of a batch is also the path of a message is unspecified. */
const unsupported = (template: string, methods: readonly string[]): string[] =>
  template.endsWith("/batch")
    ? [unsupportedMethod]
    : methodsOfApi.filter((method) => !methods.includes(method));

/** The response of a path with existing parameters to an unsupported method. */
const responseTo = (tester: Tester, method: string, template: string): Promise<Exchange> =>
  tester.once(`${method} ${template}`, async (own) => {
    const all = operationsOfProduct().filter((id) => operations[id].path === template);
    const operation = all.find((id) => operations[id].requestBody !== null) ?? all[0] ?? "getMe";
    const valid = await requestToReject(own, operation);
    const body = method === "GET" ? undefined : (valid.body ?? {});
    return own.rawRequest({ method, path: pathOf(template, valid.path), body });
  });

const operationsAt = (template: string, settings: Settings): OperationId[] =>
  operationsOfProduct().filter((id) => operations[id].path === template && isInRun(settings, id));

/** @param run gets the methods that the path has on the server, and those of the document */
const casePerPath = (
  run: (exchange: Exchange, required: readonly string[], methods: readonly string[]) => void,
) =>
  Object.entries(methodsByPath).flatMap(([template, methods]) =>
    unsupported(template, methods).map((method) =>
      testCase(
        method === unsupportedMethod ? template : `${method} ${template}`,
        {
          core: method === unsupportedMethod && template === "/api/v1/emails/{id}",
          isThere: (settings) =>
            operationsAt(template, settings).length > 0 &&
            (!template.includes("{id}") || isInRun(settings, "sendEmail")) &&
            (!template.includes("{email}") || isInRun(settings, "upsertContact")),
        },
        async (tester: Tester) => {
          const required = operationsAt(template, tester.settings).map((id) => operations[id].method);
          run(await responseTo(tester, method, template), required, methods);
        },
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
    testCase("GET below an existing message", { needs: emailNeeds, core: false }, async (tester) => {
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
    casePerPath((exchange, required, methods) => {
      const { allow } = exchange.headers;
      const named = (allow ?? "").split(",").map((one) => one.trim());
      const more = ["HEAD", "OPTIONS", ...(exchange.request.path.endsWith("/batch") ? methodsOfApi : [])];
      const isRight =
        required.every((one) => named.includes(one)) &&
        named.every((one) => one !== exchange.request.method && [...methods, ...more].includes(one));
      assert(isRight, exchange, {
        expected: `Allow: ${required.join(", ")}`,
        found: allow === undefined ? "no such header" : `Allow: ${allow}`,
      });
    }),
  ),
];

/** A contact in which only a later entry of a property is invalid. */
const contactCheck = (id: string, title: string, field: string, changes: (tester: Tester) => Json): Check =>
  check(id, title, { operation: "upsertContact", core: false, needs: ["lists.plain"] }, async (tester) => {
    const body = newContactBody(tester, changes(tester));
    assertFieldError(await tester.request("upsertContact", { body }), field);
    await assertNoContact(tester, body.email);
  });

/** Each with a recipient used in no other property. */
const recipients = [
  ["ERR-10", "to", "success"],
  ["SEND-18", "cc", "complaint"],
  ["SEND-19", "bcc", "bounce"],
] as const;

export const everyEntry: Check[] = [
  ...recipients.map(([id, field, local]) =>
    check(
      id,
      `every entry of ${field} is validated`,
      { needs: emailNeeds },
      messageCases(
        (tester) => message(tester, { [field]: [simulatedRecipient(tester, local), "not an address"] }),
        (exchange) => assertFieldError(exchange, ...namesOf(field)),
        { kinds: sends, core: false },
      ),
    ),
  ),
  contactCheck("CONT-11", "the key of every custom field is validated", "fields", (tester) => {
    const text = configured(tester.settings.fixtures.fields?.text, "fields.text");
    return { fields: { [text]: "Leeds", [unknownFieldKey(tester)]: "Leeds" } };
  }),
  contactCheck("CONT-15", "every tag of a contact is validated", "tags", () => ({
    tags: ["contract-bread", "b".repeat(limits.contactTagLength + 1)],
  })),
];
