import type { OperationId } from "../../generated/operations.ts";
import type { Need } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { requestOk } from "./assertions.ts";
import { newIdempotencyKey } from "./idempotency.ts";
import { batchOf, newRecipient, simulatedRecipient } from "./messages.ts";
import { messageOfOther, otherAccount } from "./other-account.ts";
import { batchEntries } from "./sent-batch.ts";
import { pollUntilSent } from "./tracked-messages.ts";

/** The account whose quota shows what was sent: the rest of the suite sends nothing from it. */
const key = otherAccount;

export const quotaNeeds = [
  "keys.otherAccount",
  "domains.ofRole.otherAccount",
  "simulatorDomain",
] as const satisfies readonly Need[];

export type Recipients = Record<"to" | "cc" | "bcc", string[]>;

export const simulatedRecipients = (tester: Tester): Recipients => ({
  to: [simulatedRecipient(tester, "success")],
  cc: [simulatedRecipient(tester, "complaint")],
  bcc: [simulatedRecipient(tester, "bounce")],
});

/** Two recipients in each property, or a simulated one if the suite may send to no others. */
export function recipientsOfAllKinds(tester: Tester): Recipients {
  if (tester.settings.fixtures.recipientDomain === undefined) return simulatedRecipients(tester);
  const two = (): string[] => [newRecipient(tester), newRecipient(tester)];
  return { to: two(), cc: two(), bcc: two() };
}

/** The number of recipients of an accepted message; NaN if one is suppressed: whether those count is unspecified. */
export function countOf(recipients: Recipients, suppressed: unknown): number {
  const isSuppressed = Array.isArray(suppressed) && suppressed.length > 0;
  return isSuppressed ? Number.NaN : Object.values(recipients).flat().length;
}

/** Requests of the account, with the responses that report its quota. */
export class QuotaAccount {
  readonly tester: Tester;
  /** In order, without replays. */
  readonly responses: Exchange[] = [];
  /** A message and a batch with idempotency keys. */
  readonly keyedSend: RequestOptions;
  readonly keyedBatch: RequestOptions;
  /** The id of a scheduled message. */
  scheduledId = "";

  constructor(tester: Tester) {
    this.tester = tester;
    this.keyedSend = { body: messageOfOther(tester), headers: newIdempotencyKey(tester) };
    this.keyedBatch = { body: batchOf(messageOfOther(tester)), headers: newIdempotencyKey(tester) };
  }

  /** Sends a message; resolves to the response. */
  async send(options: RequestOptions): Promise<Exchange> {
    const response = await requestOk(this.tester, "sendEmail", { key, ...options });
    this.responses.push(response);
    return response;
  }

  /** Sends a batch and waits until it is sent, which is when it is counted. */
  async sendBatch(options: RequestOptions): Promise<Exchange> {
    const response = await requestOk(this.tester, "sendBatch", { key, ...options });
    this.responses.push(response);
    for (const { id } of batchEntries(response)) await pollUntilSent(this.tester, String(id), key);
    return response;
  }

  /** Sends a request that must not send a message. */
  request(operation: OperationId, options: RequestOptions): Promise<Exchange> {
    return this.tester.request(operation, { key, ...options });
  }

  /** A batch of one message: what was wrongly accepted before it is sent by then. */
  async flush(): Promise<number> {
    await this.sendBatch({ body: batchOf(messageOfOther(this.tester)) });
    return 1;
  }
}
