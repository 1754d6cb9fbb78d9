import { configured, NotVerified } from "../engine/assert.ts";
import { missingNeeds } from "../engine/run-case.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, idOf, requestOk } from "./assertions.ts";
import {
  emailNeeds,
  message,
  secondsAhead,
  send,
  sender,
  senderOf,
  simulatedRecipient,
  templateMessage,
} from "./messages.ts";
import { limitHeader } from "./rate-limit.ts";

/** Responses that report the remaining quota, in order. */
export interface QuotaUse {
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
export async function readQuota(tester: Tester, role: Role): Promise<Exchange> {
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
