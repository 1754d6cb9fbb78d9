import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import { afterEach, expect, test, vi } from "vitest";
import type { Settings } from "../../../contract/engine/settings.ts";
import { openAttachmentServer, withAttachmentServer } from "../../../contract/mail/attachment-server.ts";
import { openSmtpMailbox } from "../../../contract/mail/mailbox.ts";
import { openPorts } from "../../../contract/mail/open.ts";
import { startSandbox } from "../../../sandbox/index.ts";
import { internet } from "../../../sandbox/mail/download.ts";
import { runContract } from "../../../scripts/contract/contract.ts";
import { settingsOfSandbox, testedSandbox } from "../../../scripts/contract/targets.ts";
import { freePort } from "../../free-port.ts";
import { certificate, key } from "../../sandbox/mail/file-host.ts";

const close: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  delete internet.certificates;
  delete internet.port;
  for (const one of close.splice(0).reverse()) await one();
});

/** Leads https://files.example.com, as the sandbox sees it, to a port on loopback: a reverse proxy that ends TLS. */
async function publish(port: number): Promise<void> {
  const proxy = tls.createServer({ key, cert: certificate }, (socket) => {
    const inner = net.connect(port, "127.0.0.1");
    socket.on("error", () => inner.destroy());
    inner.on("error", () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  close.push(() => proxy.close());
  internet.certificates = [certificate];
  vi.spyOn(internet, "lookup").mockResolvedValue(["127.0.0.1"]);
  vi.spyOn(internet, "isPublic").mockReturnValue(true);
  internet.port = (proxy.address() as AddressInfo).port;
}

/** A sandbox that downloads files, and the settings of a run whose file the suite serves. */
async function sandboxWithDownloads(url = "https://files.example.com/contract") {
  const port = await freePort();
  await publish(port);
  const mailbox = await openSmtpMailbox({ port: 0 });
  const smtp = `smtp://127.0.0.1:${mailbox.port}`;
  const sandbox = await startSandbox({ ...testedSandbox(), smtp, downloads: true });
  close.push(mailbox.close, sandbox.close);
  const given = settingsOfSandbox(sandbox.url);
  const { attachmentLink: _, ...others } = given.fixtures;
  const served = { ...others, mailbox: { smtp: mailbox.port }, attachmentServer: { port, url } };
  const fixtures = withAttachmentServer(served, given.runId);
  const settings: Settings = { ...given, fixtures, without: ["pages"] };
  return { settings, mailbox };
}

const verdict = async (settings: Settings, mailbox: Awaited<ReturnType<typeof openSmtpMailbox>>) => {
  const { requirements } = await runContract({ settings, mailbox, grep: /^ATT-6 / });
  return requirements.filter(({ id }) => id === "ATT-6").map((one) => one.verdict);
};

test("the server under test downloads the file that the suite serves, and sends it", async () => {
  const { settings, mailbox } = await sandboxWithDownloads();
  expect(await verdict(settings, mailbox)).toEqual(["pass"]);
});

test("a mail with the file of another run fails", async () => {
  const { settings, mailbox } = await sandboxWithDownloads();
  const { attachmentHash } = withAttachmentServer(settings.fixtures, "another");
  const fixtures = { ...settings.fixtures, ...(attachmentHash !== undefined && { attachmentHash }) };
  expect(await verdict({ ...settings, fixtures }, mailbox)).toEqual(["fail"]);
});

test("the file is served below any path, nothing else, and its headers to HEAD", async () => {
  const { port, close: stop } = await openAttachmentServer({ port: 0 }, "run");
  close.push(stop);
  const get = (path: string, method = "GET") => fetch(`http://127.0.0.1:${port}${path}`, { method });
  const [file, below, head, other] = await Promise.all([
    get("/run/prices.pdf"),
    get("/contract/run/prices.pdf?token=1"),
    get("/run/prices.pdf", "HEAD"),
    get("/another/prices.pdf"),
  ]);
  const bytes = await file.bytes();
  expect(bytes.length).toBeGreaterThan(256);
  expect(await below.bytes()).toEqual(bytes);
  expect([head.headers.get("content-length"), (await head.bytes()).length]).toEqual([
    String(bytes.length),
    0,
  ]);
  expect([other.status, (await get("/run/prices.pdf", "POST")).status]).toEqual([404, 404]);
});

test("a port in use ends the run with exit code 2, and closes the mailbox", async () => {
  const { port, close: stop } = await openAttachmentServer({ port: 0 }, "run");
  close.push(stop);
  const smtp = await freePort();
  const fixtures = { mailbox: { smtp }, attachmentServer: { port, url: "https://files.example.com" } };
  await expect(openPorts({ fixtures, runId: "run" })).rejects.toMatchObject({
    message: `the server of the attachment cannot listen on 127.0.0.1:${port}: EADDRINUSE`,
    hint: "Choose another port in attachmentServer.port, and let attachmentServer.url lead to it.",
    exitCode: 2,
  });
  await (await openSmtpMailbox({ port: smtp })).close();
});
