import { randomUUID } from "node:crypto";
import { recipientsOf, recordOf, stateOf } from "./course.ts";
import { messageFaults, rejectLarge, timeFaults } from "./message-rules.ts";
import {
  type ApiResponse,
  ErrorResponse,
  Faults,
  isRecord,
  once,
  type RequestContext,
  type Route,
  type Routes,
  recordIn,
} from "./request.ts";
import type { Mail } from "./world.ts";

/** The delay before the messages of a batch are sent, in milliseconds. */
const batchPause = 120;
const month = 30 * 86_400_000;

type Given = Record<string, unknown>;

function send(context: RequestContext): ApiResponse {
  const given = recordIn(context.text);
  rejectLarge(given);
  const faults = new Faults();
  const { now } = context.world;
  messageFaults(
    given,
    { at: "", inBatch: false, now: now(), templates: context.own.account.templates },
    faults,
  );
  faults.end();
  return once(context, () => {
    const planned = given.scheduled_at === undefined ? null : time(given.scheduled_at);
    const [mail, suppressed] = accept(context, given, { planned, leaves: planned ?? now() });
    context.world.mail.set(mail.id, mail);
    const body =
      planned === null
        ? { suppressed, to: mail.to, id: mail.id }
        : { scheduled_at: new Date(planned).toISOString(), suppressed, id: mail.id };
    return { status: 202, body, headers: allowance(context) };
  });
}

const time = (value: unknown): number => Date.parse(String(value).toUpperCase());

function sendBatch(context: RequestContext): ApiResponse {
  const { emails } = recordIn(context.text);
  const faults = new Faults();
  const now = context.world.now();
  if (faults.unless(Array.isArray(emails), "emails", "has to be a list")) {
    const list = emails as unknown[];
    faults.unless(list.length >= 1 && list.length <= 100, "emails", "has to have 1 to 100 messages");
    for (const [index, one] of list.entries()) {
      if (!faults.unless(isRecord(one), `emails.${index}`, "has to be an object")) continue;
      const position = {
        at: `emails.${index}.`,
        inBatch: true,
        now,
        templates: context.own.account.templates,
      };
      messageFaults(one as Given, position, faults);
    }
  }
  faults.end();
  return once(context, () => {
    const taken = (emails as Given[]).map((one) =>
      accept(context, one, { planned: null, leaves: now + batchPause, inBatch: true }),
    );
    for (const [mail] of taken) context.world.mail.set(mail.id, mail);
    const data = taken.map(([{ id }, suppressed]) => ({ suppressed, id }));
    return { status: 201, body: { data }, headers: allowance(context) };
  });
}

/** Creates a message if the account and the key may send it. @throws ErrorResponse */
function accept(
  { own, key }: RequestContext,
  given: Given,
  { planned, leaves, inBatch = false }: { planned: number | null; leaves: number; inBatch?: boolean },
): [Mail, string[]] {
  const from = String(given.from);
  const domain = from.slice(from.indexOf("@") + 1).toLowerCase();
  const state = own.account.domains[domain];
  const rejected = (status: number, message: string) => new ErrorResponse(status, "send_rejected", message);
  if (state !== undefined && key.only !== undefined && key.only !== domain)
    throw rejected(403, "This key sends from one domain only, and not from that one.");
  if (state === undefined) throw rejected(422, "No domain of yours is set up for that from address.");
  if (state === "waiting") throw rejected(409, "That domain is still being verified.");
  if (state === "halted") throw rejected(409, "Sending from that domain was halted.");
  if (own.account.ceilingReached) throw rejected(429, "No more for now: the account is at its ceiling.");
  const lists = ["to", "cc", "bcc"].map((name) => (given[name] ?? []) as string[]);
  const isStopped = (address: string): boolean => own.stopped.has(address.toLowerCase());
  const suppressed = [...new Set(lists.flat().filter(isStopped))];
  const [to = [], cc = [], bcc = []] = lists.map((list) => list.filter((address) => !isStopped(address)));
  if (to.length + cc.length + bcc.length === 0) throw rejected(422, "Sending to all of them has stopped.");
  const mail: Mail = {
    id: planned === null && !inBatch ? randomUUID() : `sched_${randomUUID()}`,
    account: own.name,
    from,
    to,
    copies: [...cc, ...bcc],
    subject: String(given.subject ?? "Tides of today"),
    tags: (given.tags ?? {}) as Record<string, string>,
    planned,
    leaves,
    canceled: false,
  };
  return [mail, suppressed];
}

/** The headers of the monthly allowance, of which the messages sent this month are subtracted. */
function allowance({ world, own }: RequestContext): Record<string, string> {
  const now = world.now();
  const thisMonth = new Date(now).toISOString().slice(0, 7);
  const used = [...world.mail.values()]
    .filter(({ account, canceled, leaves }) => account === own.name && !canceled && leaves <= now)
    .filter(({ leaves }) => new Date(leaves).toISOString().startsWith(thisMonth))
    .reduce((sum, mail) => sum + recipientsOf(mail), 0);
  const left = Math.max(0, own.account.allowance - used);
  return {
    "X-Service-Monthly-Remaining": String(left),
    "X-Service-Monthly-Quota": String(own.account.allowance),
  };
}

function found({ world, own, parameter }: RequestContext): Mail {
  const mail = world.mail.get(parameter);
  if (mail === undefined || mail.account !== own.name || mail.leaves < world.now() - month)
    throw new ErrorResponse(404, "not_found", "You have no message with this id.");
  return mail;
}

const lookUp = (context: RequestContext): ApiResponse => ({
  status: 200,
  body: recordOf(found(context), context.world.now()),
});

function reschedule(context: RequestContext): ApiResponse {
  const mail = found(context);
  const { scheduled_at } = recordIn(context.text);
  const faults = new Faults();
  timeFaults(scheduled_at, context.world.now(), faults);
  faults.end();
  if (stateOf(mail, context.world.now()) !== "scheduled")
    throw new ErrorResponse(409, "not_reschedulable", "Too late, or not one that waits.");
  mail.planned = time(scheduled_at);
  mail.leaves = mail.planned;
  return { status: 202, body: {} };
}

function cancel(context: RequestContext): ApiResponse {
  const mail = found(context);
  const state = stateOf(mail, context.world.now());
  if (state !== "scheduled" && state !== "canceled")
    throw new ErrorResponse(409, "not_cancellable", "It is on its way.");
  mail.canceled = true;
  return { status: 202, body: { status: "canceled" } };
}

const mail = (handle: Route["handle"]): Route => ({ ability: "email:send", product: "mail", handle });

export const emailRoutes: Routes = [
  [/^\/emails$/, { POST: mail(send) }],
  [/^\/emails\/batch$/, { POST: mail(sendBatch) }],
  [/^\/emails\/([^/]+)$/, { GET: mail(lookUp), PATCH: mail(reschedule), DELETE: mail(cancel) }],
];
