import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import nodemailer from "nodemailer";
import { afterEach, describe, expect, test } from "vitest";
import { openMailpit, openSmtpMailbox } from "../../../contract/mail/mailbox.ts";
import { openMailbox } from "../../../contract/mail/open.ts";

const close: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of close.splice(0).reverse()) await one();
});

async function openSmtp(...options: [bounds?: { messages: number; bytes: number }]) {
  const mailbox = await openSmtpMailbox({ port: 0 }, ...options);
  close.push(mailbox.close);
  return mailbox;
}

async function send(port: number, to: string, text: string): Promise<void> {
  const transport = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  const envelope = { from: "contract@bakery.example", to };
  await transport.sendMail({
    from: envelope.from,
    envelope,
    to: "ada@readers.example",
    subject: "Bread",
    text,
  });
  transport.close();
}

const textsOf = (messages: readonly Uint8Array[]): string[] =>
  messages.map((mime) => Buffer.from(mime).toString().split("\r\n\r\n")[1]?.trim() ?? "");

describe("an SMTP mailbox", () => {
  test("has the messages to a recipient of the envelope in their order, whatever the case", async () => {
    const mailbox = await openSmtp();
    expect(await mailbox.isEmpty()).toBe(true);
    await send(mailbox.port, "Hidden@readers.example", "First.");
    await send(mailbox.port, "hidden@readers.example", "Second.");
    await send(mailbox.port, "other@readers.example", "Third.");
    expect(textsOf(await mailbox.messagesTo("hidden@readers.example"))).toEqual(["First.", "Second."]);
    expect(await mailbox.messagesTo("ada@readers.example")).toEqual([]);
    expect(await mailbox.isEmpty()).toBe(false);
  });

  test.each([
    ["messages", { messages: 2, bytes: 1_000_000 }],
    ["bytes", { messages: 100, bytes: 700 }],
  ])("keeps the newest %s only", async (_, bounds) => {
    const mailbox = await openSmtp(bounds);
    for (const text of ["First.", "Second.", "Third."]) await send(mailbox.port, "ada@readers.example", text);
    expect(textsOf(await mailbox.messagesTo("ada@readers.example"))).toEqual(["Second.", "Third."]);
  });

  test("whose port is in use ends the run with exit code 2 and what to do", async () => {
    const { port } = await openSmtp();
    await expect(openMailbox({ mailbox: { smtp: port } })).rejects.toMatchObject({
      message: `the mailbox cannot listen on 127.0.0.1:${port}: EADDRINUSE`,
      hint: "Choose another port in mailbox.smtp, and let the server send its mail there.",
      exitCode: 2,
    });
  });

  test("is none without the setting", async () => {
    expect(await openMailbox({})).toBeUndefined();
  });
});

/** The part of Mailpit's documented API that a run uses, with these messages, the newest first. */
async function startMailpit(
  messages: readonly { ID: string; to?: string; bcc?: string; mime: string; size?: number }[],
): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://mailpit");
    const [, id] = /^\/api\/v1\/message\/([^/]+)\/raw$/.exec(pathname) ?? [];
    // Mailpit finds parts of addresses too.
    const wanted = /^addressed:"(.+)"$/.exec(searchParams.get("query") ?? "")?.[1];
    const found =
      wanted === undefined
        ? messages
        : messages.filter(({ to, bcc }) => `${to} ${bcc}`.toLowerCase().includes(wanted));
    const listOf = (email?: string) => (email === undefined ? null : [{ Name: "", Address: email }]);
    const list = found.map(({ ID, to, bcc, mime, size: Size = mime.length }) => ({
      ...{ ID, Size, To: listOf(to), Cc: null, Bcc: listOf(bcc) },
    }));
    if (id !== undefined) response.end(messages.find(({ ID }) => ID === id)?.mime);
    else if (pathname === "/api/v1/search" || pathname === "/api/v1/messages")
      response.end(JSON.stringify({ total: messages.length, messages: list }));
    else response.writeHead(404).end();
  });
  return listening(server);
}

/** Starts a server on a free port until the end of the test; resolves to its URL. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("Mailpit", () => {
  test("has the messages to exactly one recipient, the oldest first", async () => {
    const url = await startMailpit([
      { ID: "d", bcc: "ada@readers.example", mime: "\r\n\r\nFourth." },
      { ID: "c", to: "me-ada@readers.example", mime: "\r\n\r\nThird." },
      { ID: "b", to: "Ada@readers.example", mime: "\r\n\r\nSecond." },
      { ID: "a", to: "ada@readers.example", mime: "\r\n\r\nFirst." },
    ]);
    const mailbox = openMailpit(`${url}/`);
    expect(textsOf(await mailbox.messagesTo("ada@readers.example"))).toEqual([
      "First.",
      "Second.",
      "Fourth.",
    ]);
    expect(await mailbox.isEmpty()).toBe(false);
  });

  test("with a very large mail is an error", async () => {
    const url = await startMailpit([{ ID: "a", to: "ada@readers.example", mime: "", size: 1e9 }]);
    await expect(openMailpit(url).messagesTo("ada@readers.example")).rejects.toThrow("1000000000 bytes");
  });

  test("without messages is empty", async () => {
    expect(await openMailpit(await startMailpit([])).isEmpty()).toBe(true);
  });

  test.each(["<html>", "null", '{"total":0}'])("that is another server is an error: %s", async (body) => {
    const url = await listening(createServer((_request, response) => response.end(body)));
    await expect(openMailpit(url).isEmpty()).rejects.toThrow("is mailbox.mailpit the URL of Mailpit?");
  });

  test("at a wrong URL is an error with the reason", async () => {
    const url = await startMailpit([]);
    await expect(openMailpit(`${url}/prefix`).isEmpty()).rejects.toThrow(
      "GET /api/v1/messages of the mailbox returned 404.",
    );
    await close.pop()?.();
    await expect(openMailpit(url).isEmpty()).rejects.toThrow(
      /^No response to GET \/api\/v1\/messages of the mailbox: .*ECONNREFUSED/,
    );
  });
});
