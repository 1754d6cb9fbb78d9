import type { OperationId } from "../../generated/operations.ts";
import { configured, NotVerified } from "../engine/assert.ts";
import type { Need } from "../engine/check.ts";
import { missingNeeds } from "../engine/run-case.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { bodyOf, idOf, requestOk } from "./assertions.ts";
import {
  batchEntries,
  batchOf,
  emailNeeds,
  message,
  messageOfOther,
  newRecipient,
  pollUntilSent,
  secondsAhead,
  send,
  sender,
  senderOf,
  simulatedRecipient,
  templateMessage,
} from "./messages.ts";
import { limitHeader } from "./rate-limit.ts";
import { newIdempotencyKey } from "./requests.ts";

/** Responses that report the remaining quota, in order. */
interface QuotaUse {
  /** To a scheduled send, before anything was sent. */
  before: Exchange;
  /** To a send with one recipient in each of to, cc and bcc. */
  sent: Exchange;
  /** To another scheduled send. */
  after: Exchange;
}

export const quotaRemaining = (exchange: Exchange): number => limitHeader(exchange, "allowance");

/** The role with an account for quota measurements, else `full`. */
const quotaRole = ({ settings: { keys } }: Tester): Role => (keys.quota === undefined ? "full" : "quota");

const sendAs = (tester: Tester, role: Role, changes: Record<string, unknown>): Promise<Exchange> =>
  requestOk(tester, "sendEmail", {
    key: role,
    body: message(tester, { from: role === "full" ? sender(tester) : senderOf(tester, role), ...changes }),
  });

const hour = 3600;

/** The response to a scheduled send that is canceled immediately: it reports the quota and uses none. */
async function readQuota(tester: Tester, role: Role): Promise<Exchange> {
  const response = await sendAs(tester, role, { scheduled_at: secondsAhead(tester, 24 * hour) });
  await requestOk(tester, "cancelEmail", { key: role, path: { id: idOf(response) } });
  return response;
}

/**
 * A send to three recipients between two scheduled sends that never go out.
 * @throws NotVerified if the quota is too small or a recipient is suppressed
 */
export const quotaUse = (tester: Tester): Promise<QuotaUse> =>
  tester.once("sends that use the quota", (own) => {
    const role = quotaRole(own);
    // Messages of earlier cases may still be sent from the main account.
    const deadline = role === "full" ? own.settings.deadlines.dispatch : 0;
    const isExact = ({ before, sent }: QuotaUse): boolean =>
      quotaRemaining(before) - quotaRemaining(sent) === 3;
    return own.until(() => measureQuotaUse(own, role), isExact, deadline, 1000);
  });

async function measureQuotaUse(tester: Tester, role: Role): Promise<QuotaUse> {
  const before = await readQuota(tester, role);
  requireQuota(3, before);
  // Counts toward the quota of the main account alone.
  if (role !== "full" && missingNeeds(tester.run, emailNeeds).length === 0) await send(tester);
  const sent = await sendAs(tester, role, threeRecipients(tester));
  const { suppressed } = bodyOf(sent);
  if (Array.isArray(suppressed) && suppressed.length > 0) throw new NotVerified("A recipient is suppressed.");
  return { before, sent, after: await readQuota(tester, role) };
}

/** The responses before and to a send from a template. It belongs to the main account, which others may use. */
export const templateQuotaUse = (tester: Tester): Promise<Pick<QuotaUse, "before" | "sent">> =>
  tester.once("a send from a template that uses the quota", (own) =>
    own.until(
      async () => {
        const before = await readQuota(own, "full");
        requireQuota(1, before);
        const template = configured(own.settings.fixtures.template, "template");
        return { before, sent: await requestOk(own, "sendEmail", { body: templateMessage(own, template) }) };
      },
      ({ before, sent }) => quotaRemaining(before) - quotaRemaining(sent) === 1,
      own.settings.deadlines.dispatch,
      1000,
    ),
  );

function requireQuota(wanted: number, response: Exchange): void {
  const left = quotaRemaining(response);
  if (left < wanted) throw new NotVerified(`${left} of the monthly quota remaining, ${wanted} needed.`);
}

/** The simulated recipient `success` and two other addresses. */
function threeRecipients(tester: Tester): Record<string, string[]> {
  const { recipientDomain } = tester.settings.fixtures;
  const other = (name: "complaint" | "bounce"): string =>
    recipientDomain === undefined
      ? simulatedRecipient(tester, name)
      : `contract-${tester.run.unique()}@${recipientDomain}`;
  return { to: [simulatedRecipient(tester)], cc: [other("complaint")], bcc: [other("bounce")] };
}

/** The account whose quota shows what was sent: the rest of the suite sends nothing from it. */
const key = "otherAccount";

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

/** Responses that report the remaining quota while scheduled messages become due. */
interface DueQuota {
  before: Exchange;
  /** After the time of a message that was submitted twice with one key, of a rescheduled one and of a canceled one. */
  afterFirst: Exchange;
  /** The number of recipients of the first of these. */
  recipients: number;
  /** After the new time of the rescheduled message, which has one recipient. */
  afterSecond: Exchange;
}

/** Moves the clock past the times of scheduled messages. */
export const dueQuota = (tester: Tester): Promise<DueQuota> =>
  tester.once("the quota while scheduled messages become due", async (own) => {
    const found = await measure(own);
    const isNewMonth =
      quotaRemaining(found.afterFirst) > quotaRemaining(found.before) ||
      quotaRemaining(found.afterSecond) > quotaRemaining(found.afterFirst);
    // A new month has begun, which does not happen twice.
    return isNewMonth ? measure(own) : found;
  });

async function measure(tester: Tester): Promise<DueQuota> {
  const account = new QuotaAccount(tester);
  const at = (hours: number): string => secondsAhead(tester, hours * hour);
  const schedule = async (body: object, headers = {}): Promise<Exchange> =>
    account.send({ body: messageOfOther(tester, { scheduled_at: at(1), ...body }), headers });
  const read = (): Promise<Exchange> => readQuota(tester, key);
  const readAfter = async (hours: number, earlier: Exchange): Promise<Exchange> => {
    await tester.hook("advanceClock", { seconds: hours * hour + 60 });
    const isOther = (response: Exchange): boolean => quotaRemaining(response) !== quotaRemaining(earlier);
    return tester.until(read, isOther, tester.settings.deadlines.dispatch, 1000);
  };
  const fields = recipientsOfAllKinds(tester);
  const options = {
    body: messageOfOther(tester, { scheduled_at: at(1), ...fields }),
    headers: newIdempotencyKey(tester),
  };
  const first = await account.send(options);
  const recipients = countOf(fields, bodyOf(first).suppressed);
  if (Number.isNaN(recipients)) throw new NotVerified("A recipient is suppressed.");
  await account.request("sendEmail", options);
  const rescheduled = { id: idOf(await schedule({})) };
  await account.request("rescheduleEmail", { path: rescheduled, body: { scheduled_at: at(3) } });
  await account.request("cancelEmail", { path: { id: idOf(await schedule({})) } });
  const before = await read();
  const afterFirst = await readAfter(1, before);
  return { before, afterFirst, recipients, afterSecond: await readAfter(2, afterFirst) };
}

/** In days; no month is longer, in whatever time zone it begins. */
const overMonth = 32;

/** The response to a send to one recipient, the first in a new month. */
export async function firstSendOfMonth(tester: Tester): Promise<Exchange> {
  const account = new QuotaAccount(tester);
  const send = (): Promise<Exchange> => account.send({ body: messageOfOther(tester) });
  await send();
  await tester.hook("advanceClock", { seconds: overMonth * 24 * hour });
  return send();
}
