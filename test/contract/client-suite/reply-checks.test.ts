import { describe, expect, it } from "vitest";
import type { Reply } from "../../../contract/client-suite/driver/protocol.ts";
import { checkReply } from "../../../contract/client-suite/engine/reply-checks.ts";
import { response } from "../../../contract/client-suite/service/disturbances.ts";
import type { WireResponse } from "../../../contract/client-suite/service/recording-server.ts";
import { responseExample } from "../../../contract/client-suite/support/samples.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { exchange } from "./wire.ts";

const message = responseExample("getEmail");
const membership = { ...responseExample("upsertContact"), fields: { orders: 12.5, x: null } };
const later = { type: "opened", at: "2027-01-31T08:45:00Z", detail: null };
const { bounce: _, ...withoutBounce } = message;

interface Row {
  title: string;
  operation?: OperationId;
  made: WireResponse | undefined;
  reply: Reply;
}

const found = ({ operation = "getEmail", made, reply }: Row) =>
  checkReply(reply, [exchange(made)], { operation }).filter(({ failure }) => failure !== undefined);
const ok = (body: unknown) => response(200, { body });

describe("checkReply", () => {
  it.each<Row>([
    { title: "an error", made: response(500), reply: { error: { kind: "response", status: 500 } } },
    { title: "the response", made: ok(message), reply: { result: message } },
    {
      title: "a result without unknown properties",
      made: ok({ ...message, added: 1 }),
      reply: { result: message },
    },
    {
      title: "a result with unknown properties",
      made: ok(message),
      reply: { result: { ...message, added: 1 } },
    },
    { title: "a result without a null", made: ok(message), reply: { result: withoutBounce } },
    {
      title: "a result without events of unknown types",
      made: ok({ ...message, events: [later, ...(message.events as unknown[])] }),
      reply: { result: message },
    },
    {
      title: "nothing, if the response is unspecified",
      operation: "rescheduleEmail",
      made: ok({ id: "a" }),
      reply: { result: null },
    },
    {
      title: "nothing of an unspecified response without a body",
      operation: "rescheduleEmail",
      made: response(204),
      reply: { result: null },
    },
    { title: "a result after a redirect", made: response(307), reply: { result: {} } },
    {
      title: "a response with another status",
      operation: "sendBatch",
      made: response(207, { body: { data: [] } }),
      reply: { result: { data: [] } },
    },
  ])("finds nothing in $title", (row) => {
    expect(found(row)).toEqual([]);
  });

  it.each<Row & { want: string; message: RegExp }>([
    {
      title: "a result after an error",
      made: response(500),
      reply: { result: null },
      want: "ERR-2",
      message: /the response is 500$/,
    },
    {
      title: "a result without a response",
      made: undefined,
      reply: { result: {} },
      want: "ERR-2",
      message: /no complete response$/,
    },
    {
      title: "a status that no response has",
      made: response(409),
      reply: { error: { kind: "response", status: 400 } },
      want: "ERR-2",
      message: /status 400$/,
    },
    {
      title: "a status without a response",
      made: undefined,
      reply: { error: { kind: "response", status: 500 } },
      want: "ERR-2",
      message: /status 500$/,
    },
    {
      title: "a result of HTML",
      made: response(200, { body: "<p>" }),
      reply: { result: null },
      want: "GEN-4",
      message: /is not JSON$/,
    },
    {
      title: "a missing property",
      made: ok(message),
      reply: { result: { ...message, subject: undefined } },
      want: "LOOK-1",
      message: /subject/,
    },
    {
      title: "null for a message",
      made: ok(message),
      reply: { result: null },
      want: "LOOK-1",
      message: /the value is null/,
    },
    {
      title: "a missing event",
      made: ok(message),
      reply: { result: { ...message, events: [] } },
      want: "LOOK-1",
      message: /events has 0 items, not 1/,
    },
    {
      title: "a rounded number",
      operation: "upsertContact",
      made: ok(membership),
      reply: { result: { ...membership, fields: { orders: 12 } } },
      want: "CONT-3",
      message: /fields\.orders is 12, not 12\.5/,
    },
  ])("finds $title", ({ want, message: text, ...row }) => {
    const [first, ...others] = found(row);
    expect(others).toEqual([]);
    expect(first?.ids).toEqual([want]);
    expect(first?.failure?.found).toMatch(text);
  });
});
