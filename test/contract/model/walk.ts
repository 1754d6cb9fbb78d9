import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { advance } from "./predict.ts";
import { requestOf } from "./requests/request-of.ts";
import type { Sequence } from "./requests/sequence.ts";
import { forgetAllowances } from "./rules/allowance.ts";
import type { Step } from "./steps/step.ts";
import { type Contact, emptyWorld, type Message, type ModelRequest, type World } from "./world.ts";

/** A response that the model does not allow. */
export interface Mismatch {
  /** The steps up to this response. */
  steps: readonly Step[];
  exchange: Exchange;
  /** The requirements that are not met. */
  ids: readonly string[];
  expected: string;
  found: string;
}

/** The world after a request, and the first comparison that fails. */
type Outcome = { world: World; mismatch?: Omit<Mismatch, "steps"> };

/**
 * Takes the steps of a sequence one by one, and compares each response, and what lookups show afterwards, with what the model allows.
 *
 * @returns the first mismatch
 */
export async function walk(tester: Tester, steps: readonly Step[]): Promise<Mismatch | undefined> {
  const sequence: Sequence = { fixtures: tester.settings.fixtures, name: tester.run.unique(), count: 0 };
  let world = emptyWorld;
  for (const [index, step] of steps.entries()) {
    const before = world;
    let outcome = await take(tester, world, step, sequence);
    if (outcome.mismatch === undefined) {
      const isLast = index === steps.length - 1;
      outcome = await lookUp(tester, outcome.world, isLast || step.do === "wait" ? emptyWorld : before);
    }
    if (outcome.mismatch !== undefined) return { ...outcome.mismatch, steps: steps.slice(0, index + 1) };
    world = outcome.world;
  }
  await cancelAll(tester, world);
  return undefined;
}

/** Cancels what is still scheduled, so that it is not sent during later checks. */
async function cancelAll(tester: Tester, { messages }: World): Promise<void> {
  for (const { kind, isCanceled, dueAt, account, id } of messages)
    if (kind === "scheduled" && !isCanceled && (dueAt ?? 0) > tester.run.now())
      await tester.request("cancelEmail", { path: { id }, key: account });
}

async function take(tester: Tester, world: World, step: Step, sequence: Sequence): Promise<Outcome> {
  if (step.do === "wait") return { world: await wait(tester, world, step.minutes) };
  if (step.do === "confirm") return { world: await confirm(tester, world, step.contact) };
  const request = requestOf(step, sequence, world, tester.run.now());
  return request === undefined ? { world } : send(tester, world, request);
}

async function send(tester: Tester, world: World, request: ModelRequest): Promise<Outcome> {
  const { operation, idempotencyKey, ...options } = request;
  const { run, settings } = tester;
  const sentAt = run.now();
  const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  const exchange = await tester.request(operation, { ...options, headers });
  const context = { fixtures: settings.fixtures, deadlines: settings.deadlines, sentAt, now: run.now() };
  const { world: after, findings } = advance(world, request, exchange, context);
  for (const { ids, failure } of findings) {
    for (const id of ids) tester.compared.add(id);
    if (failure !== undefined) return { world: after, mismatch: { ...failure, ids, exchange } };
  }
  return { world: after };
}

/** Looks up what has changed since an earlier world, and one message and contact that have not. */
async function lookUp(tester: Tester, world: World, before: World): Promise<Outcome> {
  let outcome: Outcome = { world };
  for (const request of [
    ...changed(world.messages, before.messages).map(lookUpMessage),
    ...changed(world.contacts, before.contacts).map(lookUpContact),
  ])
    if (outcome.mismatch === undefined) outcome = await send(tester, outcome.world, request);
  return outcome;
}

const changed = <One>(now: readonly One[], before: readonly One[]): One[] => {
  const others = now.filter((one) => before.includes(one));
  const other = others[now.length % Math.max(1, others.length)];
  return [...now.filter((one) => !before.includes(one)), ...(other === undefined ? [] : [other])];
};

const lookUpMessage = ({ account, id }: Message): ModelRequest => ({
  operation: "getEmail",
  key: account,
  path: { id },
});

const lookUpContact = ({ account, email }: Contact): ModelRequest => ({
  operation: "getContact",
  key: account,
  path: { email },
});

async function wait(tester: Tester, world: World, minutes: number): Promise<World> {
  const month = (): number => new Date(tester.run.now()).getUTCMonth();
  const before = month();
  await tester.hook("advanceClock", { seconds: minutes * 60 });
  return forgetAllowances(world, month() !== before);
}

async function confirm(tester: Tester, world: World, index: number): Promise<World> {
  const contact = world.contacts[index % world.contacts.length];
  const [list] = [...(contact?.memberships ?? [])].find(([, { status }]) => status === "pending") ?? [];
  if (contact === undefined || list === undefined || contact.account !== "full") return world;
  const { email } = contact;
  const at = tester.run.now();
  await tester.hook("confirm", { email, list });
  const membership = { ...contact.memberships.get(list), status: "subscribed", subscribed_at: at };
  return {
    ...world,
    contacts: world.contacts.map((one) =>
      one === contact ? { ...contact, memberships: new Map(contact.memberships).set(list, membership) } : one,
    ),
  };
}
