import { describe, expect, test } from "vitest";
import type { Comparison } from "../../../contract/model/judge.ts";
import { getContact } from "../../../contract/model/rules/contacts.ts";
import { getEmail, rescheduleEmail } from "../../../contract/model/rules/messages.ts";
import { send } from "../../../contract/model/rules/sending.ts";
import {
  canBeginMonth,
  emptyState,
  type Given,
  type Json,
  type ModelState,
} from "../../../contract/model/state.ts";

const at = Date.UTC(2026, 0, 2);
const given = (state: Partial<ModelState>, more: Partial<Given>): Given => ({
  fixtures: { fields: { number: "orders" } },
  deadlines: { dispatch: 30, delivery: 60 } as Given["deadlines"],
  sentAt: at,
  now: at,
  isShared: false,
  key: "full",
  account: "full",
  operation: "getContact",
  path: {},
  body: {},
  state: { ...emptyState, ...state },
  ...more,
});

/** What the rules of a lookup find in a record that is not as expected. */
const failuresIn = (allowed: ReturnType<typeof getEmail>, record: Json): Comparison["failure"][] =>
  (allowed[0]?.effect?.(record, {} as never).findings ?? []).flatMap(({ failure }) => failure ?? []);

test("a failure shows a custom field as the response has it, and a number as it was sent", () => {
  const email = "ada@readers.example";
  const contact = (orders: unknown) => ({
    account: "full" as const,
    email,
    memberships: new Map([[1, [{ fields: { orders } }]]]),
    hasLeft: false,
  });
  const found = (sent: unknown, orders: unknown) =>
    failuresIn(getContact(given({ contacts: [contact(sent)] }, { path: { email } })), {
      email,
      lists: [{ list_id: 1, fields: { orders } }],
    });
  expect(found(null, 12)).toEqual([{ expected: "fields.orders null", found: "fields.orders 12" }]);
  expect(found(7, "12")).toEqual([{ expected: "fields.orders 7", found: 'fields.orders "12"' }]);
  expect(found(12, "12")).toEqual([]);
});

test("a time that changed is blamed on its own requirement, not on what the last request was rejected for", () => {
  const email = "ada@readers.example";
  const joined = { status: "subscribed", subscribed_at: "2026-01-01T00:00:00Z", first_name: "Ada" };
  const contact = {
    ...({ account: "full", email, hasLeft: false } as const),
    memberships: new Map([[1, [joined]]]),
  };
  const failedAfter = (reason: string, changes: Json) => {
    const last = { account: "full", ids: [reason] } as const;
    const [allowed] = getContact(given({ contacts: [contact], last }, { path: { email } }));
    const record = { email, marketing_blocked: false, lists: [{ list_id: 1, ...joined, ...changes }] };
    const findings = allowed?.effect?.(record, {} as never).findings ?? [];
    return findings.flatMap(({ ids, failure }) => (failure ? ids : []));
  };
  const later = { subscribed_at: "2026-01-02T00:00:00Z" };
  expect(failedAfter("CONT-14", later)).toEqual(["MEMB-9"]);
  expect(failedAfter("UNSUB-10", later)).toEqual(["MEMB-9"]);
  expect(failedAfter("CONT-2", later)).toEqual(["MEMB-9", "CONT-2"]);
  expect(failedAfter("CONT-14", { first_name: "Zoe" })).toEqual(["MEMB-5", "CONT-25", "CONT-14"]);
});

const message: ModelState["messages"][number] = {
  account: "full",
  id: "msg_1",
  sent: { from: "a@b.example", to: ["c@d.example"] },
  kind: "immediate",
  acceptedAt: at,
  dueAt: null,
  isCanceled: false,
  suppressed: [],
  siblings: [],
  isMoved: false,
  since: [],
  record: undefined,
};

describe("the deadlines of a message for a time in the past begin when it is accepted", () => {
  const minute = 60_000;
  const sent = { ...message.sent, to: ["success@simulator.example"] };
  const past: typeof message = { ...message, sent, kind: "scheduled", dueAt: at - 10 * minute };
  const sent_at = new Date(at).toISOString();
  const events = [{ type: "sent" }];
  const record = { ...sent, id: "msg_1", tags: {}, status: "sent", scheduled_at: null, sent_at, events };
  const lookup = {
    fixtures: { simulatorDomain: "simulator.example" },
    operation: "getEmail",
    path: { id: "msg_1" },
  } as const;
  const late = { expected: 'the status after deadlines.delivery "delivered"', found: expect.anything() };

  test.each([
    ["at once", at, []],
    ["after deadlines.delivery", at + 2 * minute, [late]],
  ])("looked up %s", (_, sentAt, failures) => {
    const allowed = getEmail(given({ messages: [past] }, { ...lookup, sentAt, now: sentAt }));
    expect(failuresIn(allowed, record)).toEqual(failures);
  });

  test("after it was moved there", () => {
    const moved = { ...past, acceptedAt: at - 60 * minute, dueAt: at + 60 * minute };
    const body = { scheduled_at: new Date(at - 10 * minute).toISOString() };
    const move = { ...lookup, operation: "rescheduleEmail", body } as const;
    const [accepted] = rescheduleEmail(given({ messages: [moved] }, move));
    const state = accepted?.effect?.({}, {} as never).state;
    expect(failuresIn(getEmail(given({ ...state }, lookup)), record)).toEqual([]);
  });
});

test.each([
  ["2026-01-31T09:30:00Z", "2026-01-31T10:30:00Z", true],
  ["2026-02-01T11:30:00Z", "2026-02-01T12:30:00Z", true],
  ["2026-01-31T08:30:00Z", "2026-01-31T09:30:00Z", false],
  ["2026-02-01T12:30:00Z", "2026-02-01T13:30:00Z", false],
])("a month begins in some time zone between %s and %s: %s", (from, to, begins) => {
  expect(canBeginMonth(Date.parse(from), Date.parse(to))).toBe(begins);
});

describe("the recorded time of a message for a time in the past is unspecified", () => {
  const hour = 3_600_000;
  const asked = { ...message.sent, scheduled_at: new Date(at - 48 * hour).toISOString() };
  const recorded = { id: "sched_1", scheduled_at: new Date(at).toISOString(), suppressed: [] };

  test("in the response to its send", () => {
    const [accepted] = send(given({}, { operation: "sendEmail", body: asked }));
    const findings = accepted?.effect?.(recorded, { headers: {} } as never).findings ?? [];
    expect(findings.flatMap(({ failure }) => failure ?? [])).toEqual([]);
  });

  test("in the response to its reschedule, and in its record", () => {
    const planned = { ...message, kind: "scheduled", dueAt: at + hour } as const;
    const request = { path: { id: "msg_1" }, body: asked };
    const [moved] = rescheduleEmail(
      given({ messages: [planned] }, { operation: "rescheduleEmail", ...request }),
    );
    const { state = emptyState, findings = [] } = moved?.effect?.(recorded, {} as never) ?? {};
    expect(findings.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    const lookup = getEmail(given(state, { operation: "getEmail", ...request }));
    const sent_at = recorded.scheduled_at;
    const record = { ...message.sent, ...recorded, id: "msg_1", tags: {}, status: "sent", sent_at };
    expect(failuresIn(lookup, { ...record, events: [{ type: "sent" }] })).toEqual([]);
  });
});

test("a failure shows the bounce of a message as the response has it", () => {
  const allowed = getEmail(given({ messages: [message] }, { operation: "getEmail", path: { id: "msg_1" } }));
  const sent_at = new Date(at).toISOString();
  const record = {
    ...message.sent,
    id: "msg_1",
    tags: {},
    status: "sent",
    sent_at,
    events: [],
    bounce: null,
  };
  expect(failuresIn(allowed, record)).toEqual([
    { expected: "an event of type sent in a message that was sent", found: '{"events":[],"bounce":null}' },
  ]);
});
