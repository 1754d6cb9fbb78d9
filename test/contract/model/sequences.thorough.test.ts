import { describe, expect, onTestFinished, test } from "vitest";
import { AssertionFailure } from "../../../contract/engine/assert.ts";
import { Tester } from "../../../contract/engine/tester.ts";
import { search } from "../../../contract/model/search.ts";
import type { MessageStep } from "../../../contract/model/steps/email.ts";
import type { Step } from "../../../contract/model/steps/step.ts";
import { walk } from "../../../contract/model/walk.ts";
import { planOf } from "../../../contract/plan.ts";
import { batchOf, message, secondsAhead } from "../../../contract/support/messages.ts";
import { allMutants } from "../../mutants/all-mutants.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { createRun, openSandbox, runOnSandbox } from "../../mutants/harness.ts";
import type { Interceptor, SandboxContext } from "../../mutants/mutant.ts";
import { variants } from "../../mutants/variants.ts";
import { exploreSandbox } from "./explore.ts";

const to: MessageStep = { to: ["success"], cc: [], bcc: [], content: "text", tags: {}, edit: null };
const send: Step = { do: "send", key: "full", message: to, when: null, keyed: false };
const batch: Step = { do: "batch", key: "full", messages: [to, to], isFirstRepeated: false, keyed: false };

/** A tester on a new sandbox, with something between the two. */
async function testerWith(intercept: (context: SandboxContext) => Interceptor): Promise<Tester> {
  const { sandbox, time } = await openSandbox();
  onTestFinished(() => sandbox.close());
  return new Tester(createRun(sandbox, time, { intercept }));
}

const isSend = ({ method, path }: { method: string; path: string }): boolean =>
  method === "POST" && path === "/api/v1/emails";

/** The clock of the server goes on between the first and the second send of the sequence. */
const slow = ({ control }: SandboxContext): Interceptor => {
  let sends = 0;
  return async (request, next) => {
    const { subject } = (request.body ?? {}) as { subject?: string };
    if (isSend(request) && subject?.startsWith("Contract sequence")) sends += 1;
    if (sends === 2) await control("POST", "/sandbox/clock", { advance: "PT10S" });
    return next(request);
  };
};

describe("the allowance of a sequence", () => {
  test("takes a batch of an earlier check into account that is sent only now", async () => {
    const tester = await testerWith(slow);
    await tester.request("sendBatch", { body: batchOf(message(tester), message(tester), message(tester)) });
    expect(await walk(tester, [send, send])).toBeUndefined();
  });

  test("takes a scheduled message of an earlier check into account that is sent only now", async () => {
    const tester = await testerWith(slow);
    await tester.request("sendEmail", { body: message(tester, { scheduled_at: secondsAhead(tester, 5) }) });
    expect(await walk(tester, [send, send])).toBeUndefined();
  });

  test("has no message of the sequence before", async () => {
    const tester = await testerWith(slow);
    expect(await walk(tester, [batch])).toBeUndefined();
    expect(tester.run.pending.all(0)).toEqual([]);
  });

  test("is not that of a server that counts a send twice", async () => {
    let extra = 0;
    const tester = await testerWith(() => async (request, next) => {
      const response = await next(request);
      if (isSend(request)) extra += 1;
      const name = "x-service-monthly-remaining";
      const remaining = String(Number(response.headers[name]) - extra);
      return isSend(request)
        ? { ...response, headers: { ...response.headers, [name]: remaining } }
        : response;
    });
    await tester.request("sendBatch", { body: batchOf(message(tester)) });
    expect(await walk(tester, [send, send, send])).toMatchObject({
      ids: ["HEAD-4", "LIMIT-5", "SIM-6"],
      expected: expect.stringMatching(/ before, less 2 to 3 \(since the first send of the sequence\)$/),
      found: expect.stringMatching(/: 4 counted$/),
    });
  });
});

describe("a mismatch names the requirement that is violated", () => {
  const when = { ahead: 60, offset: 0 };
  const scheduled: Step = { do: "send", key: "full", message: to, when, keyed: false };
  const move = (ahead: number): Step => ({
    do: "reschedule",
    key: "full",
    message: { number: 0, of: "pending" },
    when: { ahead, offset: 0 },
  });

  test("of rescheduling, if the second time is ignored", async () => {
    let moves = 0;
    const tester = await testerWith(() => async (request, next) => {
      if (request.method !== "PATCH") return next(request);
      moves += 1;
      if (moves === 1) return next(request);
      const { path, headers } = request;
      const record = await next({ method: "GET", path, headers, body: undefined });
      const { scheduled_at: time } = request.body as { scheduled_at: string };
      return { ...record, body: { ...(record.body as object), scheduled_at: new Date(time).toISOString() } };
    });
    expect(await walk(tester, [scheduled, move(120), move(180)])).toMatchObject({ ids: ["SCHED-9"] });
  });

  test("of updates, if a tag is lost that was added third", async () => {
    const tester = await testerWith(() => async (request, next) => {
      const response = await next(request);
      const { tags } = (response.body ?? {}) as { tags?: string[] };
      return tags === undefined
        ? response
        : { ...response, body: { ...(response.body as object), tags: tags.slice(0, 2) } };
    });
    const add = (...tags: ("bread" | "cake" | "tea")[]): Step => ({
      do: "add",
      key: "full",
      contact: 0,
      list: "plain",
      details: { tags },
      edge: null,
      upper: false,
      keyed: "no",
    });
    expect(await walk(tester, [add("bread"), add("cake"), add("tea")])).toMatchObject({
      ids: ["MEMB-8", "CONT-16", "CONT-2", "MEMB-16"],
      expected: 'tags ["bread","cake","tea"]',
    });
  });

  test("with one moment for a time", async () => {
    const tester = await testerWith(() => async (request, next) => {
      const response = await next(request);
      return request.method === "POST" && response.status === 202
        ? { ...response, body: { ...(response.body as object), scheduled_at: "2020-01-01T00:00:00Z" } }
        : response;
    });
    expect(await walk(tester, [scheduled])).toMatchObject({
      ids: ["SCHED-4"],
      expected: expect.stringMatching(/^scheduled_at "[^ ]+Z"$/),
    });
  });
});

const options = { sequences: 12, seconds: 60, seed: 1, maxLength: 20, canWait: false };

/** Sends of others with the account, before a request. */
const others =
  (count: () => number): ((context: SandboxContext) => Interceptor) =>
  ({ bearer }) =>
  async (request, next) => {
    const own = {
      method: "POST",
      path: "/api/v1/emails",
      headers: { authorization: bearer("full"), "content-type": "application/json" },
      body: { from: "contract@bakery.example", to: ["success@simulator.example"], subject: "A", text: "A" },
    };
    for (let left = count(); left > 0; left -= 1) await next(own);
    return next(request);
  };

const nowAndThen = (request: number): number => (request % 50 === 0 ? 7 : 0);
const emails = { sequences: 40, email: true, newsletter: false };
const contacts = { sequences: 60, maxLength: 40, canWait: true, email: false, newsletter: true };
test.each([
  ["now and then", "messages", nowAndThen, emails],
  ["all the time", "messages", (request: number) => Math.floor(5 * Math.abs(Math.sin(request ** 2))), emails],
  ["now and then", "a contact of the configuration", nowAndThen, contacts],
])(
  "others who send with the account %s cause no failure of sequences with %s",
  async (_, __, countOf, own) => {
    let requests = 0;
    const tester = await testerWith(
      others(() => {
        requests += 1;
        return countOf(requests);
      }),
    );
    await search(tester, { ...options, ...own });
    expect(tester.run.isShared).toBe(true);
    if (own.newsletter) return;
    expect([...tester.compared.keys()]).toContain("LOOK-4");
    expect([...tester.compared.keys()]).not.toContain("LIMIT-5");
  },
);

test.each([
  ["a send without a body", "POST", /\/emails$/, undefined],
  ["an entry of a batch that is null", "POST", /\/batch$/, { data: [null] }],
  ["a record that is null", "GET", /\/emails\/[^/]+$/, null],
  ["a membership that is null", "GET", /\/contacts\/[^/]+$/, { lists: [null] }],
  ["an added contact that is null", "POST", /\/contacts$/, null],
  ["a list that is null", "GET", /\/lists$/, { lists: [null] }],
])("%s is a failure, not an error of the suite", async (_, method, path, body) => {
  const tester = await testerWith(() => async (request, next) => {
    const response = await next(request);
    return request.method === method && path.test(request.path) && response.status < 300
      ? { ...response, body }
      : response;
  });
  const isEmail = path.source.includes("emails") || path.source.includes("batch");
  const given = { ...options, sequences: 40, shorten: false, email: isEmail, newsletter: !isEmail };
  await search(tester, { ...given, failures: 1 });
  expect(tester.found).toMatchObject([{ error: expect.any(AssertionFailure) }]);
});

test("a mismatch that does not show again is not verified, with what was seen", async () => {
  let lookups = 0;
  const settings = { ...demoSettings("email"), sequences: { sequences: 3 } };
  const outcomes = await runOnSandbox({
    settings,
    plans: [planOf({ ...settings, without: ["clock"] }, /sequences of email requests/)],
    intercept: () => async (request, next) => {
      if (request.method === "GET") lookups += 1;
      const response = await next(request);
      return lookups === 16 && request.method === "GET"
        ? { ...response, body: { ...(response.body as object), subject: "Another" } }
        : response;
    },
  });
  expect(outcomes).toMatchObject([
    { verdict: "pass" },
    {
      verdict: "not verified",
      ids: expect.arrayContaining(["LOOK-5"]),
      reason: expect.stringMatching(
        /^A response was wrong once, and right when the same requests were sent again: expected subject "Contract sequence .*", found subject "Another" \(--seed \d+\)\.$/,
      ),
    },
  ]);
  expect(outcomes[1]?.exchanges.at(-1)?.response.body).toContain("Another");
});

test("a server that takes the new time of a canceled message is right", async () => {
  const { intercept } = variants.find(({ title }) => title.startsWith("takes the new time")) ?? {};
  if (intercept === undefined) throw new Error("there is no such variant");
  const options = { product: "email", sequences: 100, seconds: 60, seed: 1, failures: 1 } as const;
  expect(await exploreSandbox({ ...options, intercept })).toEqual([]);
});

const mutants = await allMutants();

describe("a mismatch has at most one step more than the shortest one", () => {
  // With the steps of the shortest sequence that shows the fault, found by hand.
  test.each([
    ["email", 1, "LOOK-9 scheduled_at is null for a scheduled message"],
    ["email", 1, "SEND-34 the response to a send omits suppressed recipients in cc"],
    ["email", 1, "BATCH-9 a message of a batch has one entry per recipient"],
    ["email", 2, "LIMIT-5 recipients in bcc do not count toward the quota"],
    ["email", 2, "IDEM-2 another body of a batch is a conflict with another error type"],
    ["email", 2, "SCHED-13 a canceled message is not found"],
    ["email", 2, "AUTH-2 canceling another account's object returns 404, but is performed"],
    ["email", 2, "SCHED-9 a rescheduled message has the status queued"],
    ["email", 2, "LOOK-5 a canceled message has no subject"],
    ["email", 2, "LOOK-6 the tags of a message are lost when it is moved"],
    ["email", 3, "SCHED-14 rescheduling reactivates a canceled message"],
    ["email", 3, "IDEM-1 the key of a scheduled send is forgotten when the message is moved"],
    ["email", 3, "SCHED-13 the cancellation of a message that was moved to an earlier time has no effect"],
    ["newsletter", 1, "MEMB-11 a contact of a list with double opt-in is subscribed immediately"],
    ["newsletter", 2, "IDEM-1 the key of a contact is ignored"],
    ["newsletter", 2, "CONT-1 adding a contact that is pending on another list returns 200"],
    ["newsletter", 3, "MEMB-17 an upsert makes unsubscribed memberships subscribed"],
    ["newsletter", 3, "UNSUB-5 unsubscribing from one list unsubscribes from all"],
    ["newsletter", 3, "UNSUB-5 unsubscribing from one list clears the tags of the others"],
    ["newsletter", 4, "UNSUB-5 unsubscribing from another list makes confirmed memberships pending"],
  ] as const)("%s operations, %i steps: %s", async (product, shortest, name) => {
    const mutant = mutants.find(({ requirement, title }) => `${requirement} ${title}` === name);
    if (mutant === undefined) throw new Error(`there is no mutant ${name}`);
    const options = { product, sequences: 300, seconds: 60, seed: 1, failures: 1 };
    const [mismatch] = await exploreSandbox({ ...options, intercept: mutant.intercept });
    expect(mismatch?.steps.length, JSON.stringify(mismatch?.steps)).toBeGreaterThanOrEqual(1);
    expect(mismatch?.steps.length, JSON.stringify(mismatch?.steps)).toBeLessThanOrEqual(shortest + 1);
  });
});
