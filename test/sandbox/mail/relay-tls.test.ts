import { once } from "node:events";
import net, { type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { message } from "./messages.ts";
import { openPostOffice } from "./post-office.ts";
import { type Manners, startSmtpHost } from "./smtp-host.ts";

const day = 24 * 60 * 60 * 1000;
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of opened.splice(0).reverse()) await end();
});

/** How a message ends that goes to a server of these manners, with a certificate that nobody vouches for. */
async function sendTo(
  manners: Manners,
  url: (port: number) => string,
): Promise<{ status: string; taken: number; encrypted: boolean[] }> {
  const encrypted: boolean[] = [];
  const onMailFrom: Manners["onMailFrom"] = (_, { secure }, done) => {
    encrypted.push(secure);
    done();
  };
  const host = await startSmtpHost({ onMailFrom, ...manners });
  const office = await openPostOffice({ smtp: url(host.port) });
  opened.push(host.close, office.end);
  await office.send(message());
  await office.clock.advance(2 * day);
  return { status: (await office.read("msg_0001")).status, taken: host.received.length, encrypted };
}

const startTls: Manners = { disabledCommands: [] };

describe("a server with TLS and a self-signed certificate", () => {
  test.each([
    ["STARTTLS", startTls, (port: number) => `smtp://127.0.0.1:${port}`],
    ["TLS from the start", { secure: true }, (port: number) => `smtps://127.0.0.1:${port}`],
  ])("gets nothing, with %s", async (_, manners, url) => {
    expect(await sendTo(manners, url)).toEqual({ status: "bounced", taken: 0, encrypted: [] });
    expect(await sendTo(manners, (port) => `${url(port)}?verify=false`)).toEqual({
      status: "delivered",
      taken: 1,
      encrypted: [true],
    });
  });
});

test("a server without TLS gets no mail if TLS is required", async () => {
  expect(await sendTo({}, (port) => `smtp://127.0.0.1:${port}?tls=required`)).toEqual({
    status: "bounced",
    taken: 0,
    encrypted: [],
  });
  expect(await sendTo({}, (port) => `smtp://127.0.0.1:${port}`)).toEqual({
    status: "delivered",
    taken: 1,
    encrypted: [false],
  });
});

test("a server that sends no greeting is disconnected after a while and retried", async () => {
  const sockets: Socket[] = [];
  const silent = net
    .createServer((socket) => sockets.push(socket.on("error", () => {})))
    .listen(0, "127.0.0.1");
  await once(silent, "listening");
  opened.push(
    () => silent.close(),
    () => sockets.map((socket) => socket.destroy()),
  );
  const { port } = silent.address() as AddressInfo;
  const office = await openPostOffice({
    smtp: `smtp://127.0.0.1:${port}`,
    smtpTimes: { reply: 50, whole: 10_000 },
  });
  opened.push(office.end);
  await office.send(message());
  await office.clock.advance(2 * day);
  expect(sockets.length).toBeGreaterThan(5);
  expect(await office.read("msg_0001")).toMatchObject({ status: "bounced", bounce: { permanent: false } });
});

test("a server that never completes a reply is disconnected after a while and retried", async () => {
  const sockets: Socket[] = [];
  const talker = net.createServer((socket) => {
    sockets.push(socket.on("error", () => {}));
    const timer = setInterval(() => socket.write("220-wait\r\n"), 10);
    socket.on("close", () => clearInterval(timer));
  });
  talker.listen(0, "127.0.0.1");
  await once(talker, "listening");
  opened.push(
    () => talker.close(),
    () => sockets.map((socket) => socket.destroy()),
  );
  const { port } = talker.address() as AddressInfo;
  const office = await openPostOffice({
    smtp: `smtp://127.0.0.1:${port}`,
    smtpTimes: { reply: 5_000, whole: 60 },
  });
  opened.push(office.end);
  await office.send(message());
  await office.clock.advance(2 * day);
  expect(sockets.length).toBeGreaterThan(5);
  expect((await office.read("msg_0001")).status).toBe("bounced");
});
