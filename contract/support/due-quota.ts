import { NotVerified } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, idOf } from "./assertions.ts";
import { newIdempotencyKey } from "./idempotency.ts";
import { secondsAhead } from "./messages.ts";
import { messageOfOther, otherAccount } from "./other-account.ts";
import { quotaRemaining, readQuota } from "./quota.ts";
import { countOf, QuotaAccount, recipientsOfAllKinds } from "./quota-account.ts";

/** Responses that report the remaining quota while scheduled messages become due. */
export interface DueQuota {
  before: Exchange;
  /** After the time of a message that was submitted twice with one key, of a rescheduled one and of a canceled one. */
  afterFirst: Exchange;
  /** The number of recipients of the first of these. */
  recipients: number;
  /** After the new time of the rescheduled message, which has one recipient. */
  afterSecond: Exchange;
}

const hour = 3600;

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
  const read = (): Promise<Exchange> => readQuota(tester, otherAccount);
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
