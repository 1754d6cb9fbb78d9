import { type OperationId, operations } from "../../../generated/operations.ts";
import type { ClientTester } from "../engine/client-tester.ts";
import type { CallOptions } from "../engine/make-call.ts";
import { bodiesOf } from "./bodies.ts";
import { retryTimeout } from "./replies.ts";

const parameters: Record<string, string> = { id: "msg_sample", email: "subscribed@readers.example" };

/** The arguments of a call of any operation: the demo contact, a message that does not exist, and the first example of a body. */
export function sampleCall(operation: OperationId): CallOptions {
  const names = operations[operation].pathParameters;
  const [body] = Object.values(bodiesOf(operation));
  return {
    ...(names.length > 0 && {
      path: Object.fromEntries(names.map((name) => [name, parameters[name] ?? ""])),
    }),
    ...(body !== undefined && { body }),
  };
}

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

export const newIdempotencyKey = (): string => `work-${crypto.randomUUID()}`;

/** The operations that take an idempotency key. */
export const idempotentOperations = ["sendEmail", "sendBatch", "upsertContact"] as const;
