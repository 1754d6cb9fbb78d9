import { type OperationId, operations } from "../../../generated/operations.ts";
import { document, examplesOf, operationsOf } from "../../document.ts";
import { documentedSuccesses } from "../../response-checks/documented.ts";
import { type CallOptions, type ClientTester, testCase } from "../engine/client-tester.ts";
import type { RecordedCall } from "../engine/recorded-call.ts";
import { respondsWith } from "../service/disturbances.ts";
import type { WireResponse } from "../service/recording-server.ts";
import { retryTimeout } from "./assertions.ts";
import values from "./values.json" with { type: "json" };

const parameters: Record<string, string> = { id: "msg_sample", email: "subscribed@readers.example" };

/** The arguments of a call of any operation: the demo contact, a message that does not exist, and the first example of a body. */
export function sampleCall(operation: OperationId): CallOptions {
  const names = operations[operation].pathParameters;
  const [body] = Object.values(bodiesOf(operation));
  return { path: Object.fromEntries(names.map((name) => [name, parameters[name] ?? ""])), body };
}

/** Calls an operation with its sample arguments, or others; each of its requests gets the same response. */
export const callWith = (
  tester: ClientTester,
  operation: OperationId,
  made: WireResponse,
  { title, ...options }: CallOptions & { title?: string } = {},
): Promise<RecordedCall> =>
  tester.call(operation, {
    ...sampleCall(operation),
    disturb: Array(20).fill(respondsWith(made, title)),
    ...options,
  });

/** Few clients retry the first two on their own, so that a call that fails ends soon. */
const simpleOperations: OperationId[] = ["cancelEmail", "unsubscribeContact", "getMe"];

/** A call for test cases in which no operation matters: one that the client has. */
export function anyCall({ capabilities }: ClientTester): [OperationId, CallOptions] {
  const operation = simpleOperations.find((one) => capabilities.operations.includes(one)) ?? "getMe";
  return [operation, { ...sampleCall(operation), replyTimeout: retryTimeout }];
}

let created = 0;

/** A message that no other call of the run sends. */
export const newMessage = (more: Record<string, unknown> = {}): Record<string, unknown> => {
  created += 1;
  return {
    from: "hello@bakery.example",
    to: ["ada@readers.example"],
    subject: `Message ${created}`,
    html: "<p>Hello</p>",
    text: "Hello",
    ...more,
  };
};

/** The body of a call that takes an idempotency key; no other call of the run has the same. */
export function newBody(operation: OperationId): Record<string, unknown> {
  if (operation === "sendBatch") return { emails: [newMessage(), newMessage()] };
  if (operation === "sendEmail") return newMessage();
  created += 1;
  return { email: `contact-${created}@readers.example`, list_id: 2 };
}

export const newIdempotencyKey = (): string => `contract-${crypto.randomUUID()}`;

export const operationIds = Object.keys(operations) as OperationId[];

export const idempotentOperations = operationIds.filter((id) => operations[id].idempotent);

/** The operations that change something and take no idempotency key. */
export const unkeyedWrites = operationIds.filter(
  (id) => operations[id].method !== "GET" && !operations[id].idempotent,
);

export const tested = new Map(operationsOf(document).map((one) => [one.id, one]));

/** The example bodies of an operation in the document, by name. */
export const bodiesOf = (operation: OperationId): Record<string, unknown> =>
  tested.get(operation)?.bodies ?? {};

/** The successful responses of an operation in the document, with the name of each example. */
export const successExamples = (operation: OperationId): [name: string, body: unknown][] =>
  documentedSuccesses(operation).flatMap(({ content }) =>
    Object.entries(examplesOf(document, content?.["application/json"]?.examples)),
  );

/** The status of the successful response of an operation; 200 if it is unspecified. */
export const successOf = (operation: OperationId): number => Number(operations[operation].success[0]) || 200;

/** A successful response of an operation that returns an object. */
export function responseExample(operation: OperationId): Record<string, unknown> {
  const [first] = successExamples(operation);
  if (first === undefined) throw new Error(`${operation} has no example of a response`);
  return first[1] as Record<string, unknown>;
}

/** Letters outside ASCII, of one to four bytes, combined and joined. */
export const { letters } = values;

/** Every printable ASCII character. */
export const everyAscii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  .join("")
  .trim();

/** The body of an upsert, with further properties. */
export const contact = (more: Record<string, unknown>): Record<string, unknown> => ({
  email: "ada@readers.example",
  list_id: 2,
  ...more,
});

/** Creates what an operation is about, a scheduled message or a contact, and returns the path parameters. */
export async function existing(
  tester: ClientTester,
  operation: OperationId,
): Promise<Record<string, string>> {
  const names: readonly string[] = operations[operation].pathParameters;
  if (names.includes("id")) {
    const { id = "" } = await tester.request("sendEmail", { body: bodiesOf("sendEmail").scheduled });
    return { id };
  }
  if (!names.includes("email")) return {};
  const { email = "" } = await tester.request("upsertContact", { body: bodiesOf("upsertContact").signup });
  return { email };
}

/**
 * A test case for each product, because a client may have one of them.
 * @param run gets the operations of the product that the client has
 * @throws NotVerified if it has none of them
 */
export const byProduct = (run: (tester: ClientTester, ids: OperationId[]) => Promise<unknown>) =>
  (["email", "newsletter"] as const).map((product) => {
    // Those that belong to no product are of both.
    const ids = operationIds.filter((id) => [product, null].includes(operations[id].product));
    const [operation] = ids as [OperationId];
    return testCase(`operations of the product ${product}`, { operation }, async (tester) => {
      const available = ids.filter((id) => tester.capabilities.operations.includes(id));
      if (available.length === 0) tester.assertHas(operation);
      await run(tester, available);
    });
  });
