import { describe, expect, test } from "vitest";
import { warningsOf } from "../../../sandbox/control/views.ts";
import type { RelayState } from "../../../sandbox/domain/relay.ts";
import { lost } from "../../../sandbox/mail/relay-state.ts";
import { file, message, sentAt } from "./messages.ts";
import { openPostOffice } from "./post-office.ts";
import { no } from "./smtp-host.ts";
import { temporaryMail } from "./temporary.ts";

const day = 24 * 60 * 60 * 1000;
const own = temporaryMail();
const { opened, start } = own;

describe("a message that may have arrived", () => {
  test("is not relayed again after the connection was lost before the reply", async () => {
    let asked = 0;
    const host = await start({
      message: () => {
        asked += 1;
        return "drop";
      },
    });
    const office = await openPostOffice({ smtp: host.url });
    opened.push(office.end);
    await office.send(message());
    await office.clock.advance(20 * day);
    expect(asked).toBe(1);
    const { status, events, dueAt } = await office.read("msg_0001");
    expect({ status, dueAt }).toEqual({ status: "sent", dueAt: null });
    expect(events.at(-1)).toMatchObject({
      type: "relay_unknown",
      detail: expect.stringContaining("not sent again"),
    });
  });

  test("is not relayed again after the reply timed out", async () => {
    let asked = 0;
    const host = await start({
      message: () => {
        asked += 1;
        return new Promise(() => {});
      },
    });
    const office = await openPostOffice({ smtp: host.url, smtpTimes: { reply: 300, whole: 10_000 } });
    opened.push(office.end);
    await office.send(message());
    await office.clock.advance(20 * day);
    expect({ asked, status: (await office.read("msg_0001")).status }).toEqual({ asked: 1, status: "sent" });
  });
});

test("a message that the server has not received completely is retried", async () => {
  let asked = 0;
  const recipient = () => {
    asked += 1;
    return asked === 1 ? undefined : no(550, "5.1.1 Gone");
  };
  const host = await start({ size: 50_000_000, recipient });
  host.cutAfter(2_000);
  const office = await openPostOffice({ smtp: host.url });
  opened.push(office.end);
  // More than the buffers between the two hold.
  await office.send(message({}, { attachments: [file("large.bin", Buffer.alloc(15_000_000))] }));
  await office.clock.advance(day);
  expect({ asked, taken: host.received.length }).toEqual({ asked: 2, taken: 0 });
  expect((await office.read("msg_0001")).status).toBe("bounced");
});

describe("a restart", () => {
  test("relays the waiting messages", async () => {
    const before = await openPostOffice({ data: own.data, smtp: "smtp://127.0.0.1:1" });
    await before.send(message());
    await before.clock.advance(0);
    await before.end();
    const host = await start();
    const after = await openPostOffice({ data: own.data, smtp: host.url });
    opened.push(after.end);
    await after.clock.advance(day);
    expect(host.received).toHaveLength(1);
    expect((await after.read("msg_0001")).status).toBe("delivered");
  });

  test("relays nothing twice", async () => {
    const host = await start();
    for (let run = 0; run < 3; run++) {
      const office = await openPostOffice({ data: own.data, smtp: host.url });
      await office.send(message({ id: `msg_${run}` }));
      await office.clock.advance(day);
      await office.end();
    }
    expect(host.received).toHaveLength(3);
  });

  test("leaves a message in doubt whose reply was missing at the crash", async () => {
    const arrived = Promise.withResolvers<void>();
    const host = await start({
      message: () => {
        arrived.resolve();
        return new Promise(() => {});
      },
    });
    const before = await openPostOffice({ data: own.data, smtp: host.url });
    await before.send(message());
    const moved = before.clock.advance(0).catch(() => {});
    await arrived.promise;
    await before.crash();
    const again = await start();
    const after = await openPostOffice({ data: own.data, smtp: again.url });
    opened.push(after.end);
    await after.clock.advance(0);
    expect((await after.read("msg_0001")).events.at(-1)).toMatchObject({ type: "relay_unknown" });
    await after.clock.advance(20 * day);
    expect(again.connections()).toBe(0);
    expect((await after.read("msg_0001")).events.at(-1)).toMatchObject({ type: "relay_unknown" });
    await host.close();
    await moved;
  });

  test("relays a message for which the server was not ready at the crash", async () => {
    const greeted = Promise.withResolvers<void>();
    const host = await start({ onMailFrom: () => greeted.resolve() });
    const before = await openPostOffice({ data: own.data, smtp: host.url });
    await before.send(message());
    const moved = before.clock.advance(0).catch(() => {});
    await greeted.promise;
    await before.crash();
    const again = await start();
    const after = await openPostOffice({ data: own.data, smtp: again.url });
    opened.push(after.end);
    await after.clock.advance(0);
    expect(again.received).toHaveLength(1);
    await host.close();
    await moved;
  });
});

test("a message in doubt has no warning about a retry, whatever the result of an earlier attempt", () => {
  const reply = "451 4.3.0 Later, please";
  const relay: RelayState = {
    state: "sending",
    attempts: 2,
    pending: ["ada@example.org"],
    rejected: [],
    reply,
  };
  expect(warningsOf({ ...message(), relay })).toEqual([expect.stringContaining(reply)]);
  const { message: left } = lost(message(), relay, "", sentAt);
  expect(warningsOf({ ...message(), ...left })).toEqual([]);
});
