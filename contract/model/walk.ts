import { operations } from "../../generated/operations.ts";
import { accountOf, type Fixtures, isInRun, type Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { within } from "./judge.ts";
import { advance } from "./predict.ts";
import { changedSend, emailRequests } from "./requests/email.ts";
import { changedContact, newsletterRequests } from "./requests/newsletter.ts";
import {
  type Contact,
  canBeginMonth,
  emptyState,
  type ModelRequest,
  type ModelState,
  type Place,
  pick,
  type RequestsOf,
  type Sequence,
  withContact,
} from "./state.ts";
import type { Step } from "./steps/step.ts";

/** A response that the model does not allow. */
export interface Mismatch {
  /** The steps up to this response. */
  steps: readonly Step[];
  exchange: Exchange;
  /** The requests that led to it, and this one. */
  exchanges: readonly Exchange[];
  /** The requirements that are not met. */
  ids: readonly string[];
  expected: string;
  found: string;
}

/** The state after a request, and the first comparison that fails. */
type Outcome = {
  state: ModelState;
  mismatch?: Omit<Mismatch, "steps" | "exchanges">;
  request?: ModelRequest;
};

/** In milliseconds: differences of clocks below it are not measured. */
const clockDifference = 60_000;

/**
 * Takes the steps of a sequence one by one, and compares each response, and what lookups show afterwards, with what the model allows.
 * @param isOver called before each step
 * @returns the first mismatch
 */
export async function walk(tester: Tester, steps: readonly Step[], isOver: () => boolean = () => false) {
  const { run, settings } = tester;
  const { fixtures, keys } = settings;
  const hasKey = (role: Role): boolean => keys[role] !== undefined;
  const sequence: Sequence = { fixtures, hasKey, name: run.unique(), count: 0, lookups: 0 };
  tester.exchanges.length = 0;
  const since = run.now() - settings.deadlines.dispatch * 1000 - clockDifference;
  let state: ModelState = { ...emptyState, pending: run.pending.all(since) };
  let found: Mismatch | undefined;
  for (const [index, step] of steps.entries()) {
    if (isOver()) break;
    const before = state;
    let outcome = await take(tester, state, step, sequence);
    if (outcome.mismatch === undefined) {
      const isLast = index === steps.length - 1;
      outcome = await lookUp(tester, outcome, isLast || step.do === "wait" ? emptyState : before, sequence);
    }
    state = outcome.state;
    const { mismatch } = outcome;
    if (mismatch === undefined) continue;
    const exchanges = leadingTo(mismatch.exchange, tester.exchanges);
    found = { ...mismatch, exchanges, steps: steps.slice(0, index + 1) };
    break;
  }
  await tidyUp(tester, state);
  return found;
}

/** The exchanges that change something, and the lookup before the last exchange of the same thing. */
function leadingTo(last: Exchange, exchanges: readonly Exchange[]): Exchange[] {
  const isLookup = ({ request }: Exchange): boolean => request.method === "GET";
  const before = exchanges.findLast(
    (one) => one !== last && isLookup(one) && one.request.path === last.request.path,
  );
  let hooks: string[] = [];
  return exchanges.flatMap((one) => {
    hooks.push(...(one.hooks ?? []));
    if (isLookup(one) && one !== last && one !== before) return [];
    const called = hooks;
    hooks = [];
    return [called.length === 0 ? one : Object.assign(one, { hooks: called })];
  });
}

/** How long a sequence waits for a batch to be sent, in seconds. If it is sent later, later sequences take that into account. */
const batchDeadline = 2;

/** Cancels what is still scheduled, so that it is not sent during later checks, and waits until the batches are sent. */
async function tidyUp(tester: Tester, { messages }: ModelState): Promise<void> {
  for (const { kind, isCanceled, dueAt, account, id } of messages) {
    const isOpen = kind === "scheduled" && !isCanceled && (dueAt ?? 0) > tester.run.now();
    if (isOpen && isInRun(tester.settings, "cancelEmail"))
      await tester.request("cancelEmail", { path: { id }, key: account });
    if (kind !== "batch" || !tester.run.pending.has(id) || !isInRun(tester.settings, "getEmail")) continue;
    const look = () => tester.request("getEmail", { path: { id }, key: account });
    await tester.until(look, () => !tester.run.pending.has(id), batchDeadline);
  }
}

async function take(tester: Tester, state: ModelState, step: Step, sequence: Sequence): Promise<Outcome> {
  if (step.do === "wait") return { state: await wait(tester, state, step) };
  if (step.do === "confirm") return { state: await confirm(tester, state, step.contact) };
  const request = requestOf(step, sequence, state, tester.run.now());
  return request === undefined ? { state } : { ...(await send(tester, state, request)), request };
}

type RequestStep = Exclude<Step, { do: "confirm" | "wait" }>;

const requests: RequestsOf<RequestStep> = {
  ...emailRequests,
  ...newsletterRequests,
  /** An earlier request again; with a number, with a body that differs. */
  repeat: ({ request, change }, { state, sequence }) => {
    const earlier = pick(state.keyed.toReversed(), request)?.request;
    if (earlier === undefined || change === null) return earlier;
    const changed = earlier.operation === "upsertContact" ? changedContact : changedSend;
    return { ...earlier, body: changed(earlier.body ?? {}, change, sequence) };
  },
};

/** The request of a step; undefined if there is nothing that the step could be about. */
function requestOf(step: RequestStep, sequence: Sequence, state: ModelState, now: number) {
  const key = "key" in step && sequence.hasKey(step.key) ? step.key : "full";
  const make = requests[step.do] as (step: RequestStep, place: Place) => ModelRequest | undefined;
  return make(step, { key, sequence, state, now });
}

async function send(tester: Tester, state: ModelState, request: ModelRequest): Promise<Outcome> {
  const { operation, idempotencyKey, ...options } = request;
  if (!isInRun(tester.settings, operation)) return { state };
  const { run, settings } = tester;
  const { fixtures, deadlines } = settings;
  const sentAt = run.now() - clockDifference;
  const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  const exchange = await tester.request(operation, { ...options, headers });
  const context = { fixtures, deadlines, sentAt, now: run.now() + clockDifference, isShared: run.isShared };
  if (isConfigured(request, fixtures)) run.isChanged = true;
  const { state: after, findings } = advance(state, request, exchange, context);
  const passed = findings.flatMap(({ ids, failure, proven = ids }) => (failure ? [] : proven));
  for (const id of new Set(passed)) tester.compared.set(id, (tester.compared.get(id) ?? 0) + 1);
  const [failed] = findings.flatMap(({ ids, failure }) => (failure ? [{ ...failure, ids, exchange }] : []));
  return { state: after, ...(failed && { mismatch: failed }) };
}

/** Looks up the subject of a request, and what has changed since an earlier state. */
async function lookUp(tester: Tester, { state, request }: Outcome, before: ModelState, sequence: Sequence) {
  let outcome: Outcome = { state };
  const contacts = changed(state.contacts, before.contacts);
  const subjects = subjectsOf(request, state).filter((one) => !contacts.includes(one as Contact));
  const requests: ModelRequest[] = [
    ...changed(state.messages, before.messages).map(
      ({ account, id }) => ({ operation: "getEmail", key: account, path: { id } }) as const,
    ),
    ...[...contacts, ...subjects].map(
      ({ account, email }) => ({ operation: "getContact", key: account, path: { email } }) as const,
    ),
  ];
  for (const lookup of requests)
    for (const one of byObservers(lookup, sequence))
      if (outcome.mismatch === undefined) outcome = await send(tester, outcome.state, one);
  return outcome;
}

/** The keys of the main account that can look up messages and contacts, and how often another account tries too. */
const readers: Record<"email" | "newsletter", readonly Role[]> = {
  email: ["full", "second", "sendOnly"],
  newsletter: ["full", "second", "readOnly"],
};
const everyOther = 8;

/** A lookup by each key of the account in turn, now and then also by another account, which must not find anything. */
function byObservers(request: ModelRequest, sequence: Sequence): ModelRequest[] {
  const isMain = request.key === "full";
  const keys = readers[request.operation === "getEmail" ? "email" : "newsletter"].filter(sequence.hasKey);
  const key = isMain ? (keys[sequence.lookups % keys.length] ?? "full") : request.key;
  sequence.lookups += 1;
  const isOther = sequence.lookups % everyOther === 0 && sequence.hasKey("otherAccount");
  const other: Role = isMain ? "otherAccount" : "full";
  return [{ ...request, key }, ...(isOther ? [{ ...request, key: other }] : [])];
}

/** The contacts with the email address of a request that should have changed at most one of them. */
function subjectsOf(request: ModelRequest | undefined, { contacts }: ModelState) {
  const email = String(request?.body?.email ?? request?.path?.email ?? "").toLowerCase();
  // An invalid address in a path has an unspecified response.
  if (request === undefined || operations[request.operation].method === "GET" || !/^[^@]+@[^@]+$/.test(email))
    return [];
  const known = contacts.filter((one) => one.email === email);
  const account = accountOf(request.key);
  const isNew = account !== "noNewsletter" && known.every((one) => one.account !== account);
  return [...known, ...(isNew ? [{ account, email }] : [])];
}

const changed = <One>(now: readonly One[], before: readonly One[]): One[] =>
  now.filter((one) => !before.includes(one));

/** Whether a request can change a contact of the configuration. */
const isConfigured = ({ operation, path, body }: ModelRequest, { contacts = {} }: Fixtures): boolean =>
  operation !== "getContact" &&
  Object.values(contacts).some((one) => one?.email === (path?.email ?? body?.email));

async function wait(
  tester: Tester,
  state: ModelState,
  { minutes, from }: Extract<Step, { do: "wait" }>,
): Promise<ModelState> {
  const { run } = tester;
  const before = run.now();
  const due = state.messages.flatMap((one) => (one.isCanceled || one.dueAt === null ? [] : [one.dueAt]));
  const next = Math.min(...due.filter((at) => at > run.now()));
  const start = from === "due" && Number.isFinite(next) ? next - run.now() : 0;
  const seconds = Math.ceil(start / 1000) + minutes * 60;
  if (seconds <= 0) return state;
  await tester.hook("advanceClock", { seconds });
  // In another month, the allowances begin anew.
  const allowances = canBeginMonth(before, run.now()) ? new Map() : state.allowances;
  return { ...state, allowances, last: { account: "full", ids: [] } };
}

async function confirm(tester: Tester, state: ModelState, index: number): Promise<ModelState> {
  if (tester.run.hooks.confirm === undefined) return state;
  const contact = state.contacts[index % state.contacts.length];
  const [list, [pending] = []] =
    [...(contact?.memberships ?? [])].find(([, [one]]) => one?.status === "pending") ?? [];
  if (contact === undefined || list === undefined || contact.account !== "full") return state;
  const at = tester.run.now();
  await tester.hook("confirm", { email: contact.email, list });
  const membership = { ...pending, status: "subscribed", subscribed_at: within(at, at) };
  const memberships = new Map(contact.memberships).set(list, [membership]);
  return { ...withContact(state, { ...contact, memberships }), last: { account: "full", ids: ["MEMB-15"] } };
}
