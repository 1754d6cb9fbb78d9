import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { batchOf, secondsAhead } from "./messages.ts";

/** How a message is sent; several messages are in one batch. */
export const sendKinds = ["sendEmail", "sendEmail, scheduled", "sendBatch"] as const;
export type SendKind = (typeof sendKinds)[number];

export const operationOf = (kind: SendKind) => (kind === "sendBatch" ? "sendBatch" : "sendEmail");

const hour = 3600;

/** Sends a message in one of these ways. */
export const sendBy = (
  tester: Tester,
  kind: SendKind,
  messages: readonly Record<string, unknown>[],
  key: Role = "full",
): Promise<Exchange> => {
  const [first = {}] = messages;
  const body = {
    sendEmail: first,
    "sendEmail, scheduled": { ...first, scheduled_at: secondsAhead(tester, hour) },
    sendBatch: batchOf(...messages),
  };
  return tester.request(operationOf(kind), { key, body: body[kind] });
};
