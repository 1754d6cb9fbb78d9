import type { Attachment, Email } from "postal-mime";
import { limits } from "../../generated/limits.ts";
import { connectionProblem } from "../../lib/connection.ts";
import { AssertionFailure, configured, NotVerified } from "../engine/assert.ts";
import type { Need } from "../engine/check.ts";
import { type Fetch, readBody } from "../engine/http.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { fileNames } from "../generated-cases/hostile-values.ts";
import { type Json, requestOk } from "./assertions.ts";
import { message, newRecipient } from "./messages.ts";

/** What checks of the mail itself need to send a message. */
export const mailNeeds = ["mailbox", "domains.verified", "recipientDomain"] as const satisfies Need[];

/**
 * The first message to an email address, once it has arrived.
 * @throws NotVerified if no message at all has arrived, AssertionFailure if others have
 */
export async function receivedBy(tester: Tester, recipient: string): Promise<Email> {
  const mailbox = configured(tester.run.mailbox, "mailbox");
  const { delivery } = tester.settings.deadlines;
  const [first] = await tester.until(
    () => mailbox.messagesTo(recipient),
    ({ length }) => length > 0,
    delivery,
  );
  if (first !== undefined) {
    // Loaded with the first message: most runs have no mailbox.
    const { default: PostalMime, decodeWords } = await import("postal-mime");
    const mail = await PostalMime.parse(first);
    return { ...mail, headers: mail.headers.map((one) => ({ ...one, value: decodeWords(one.value) })) };
  }
  if (await mailbox.isEmpty())
    throw new NotVerified(
      `No message arrived in the mailbox within ${delivery} s (deadlines.delivery): is it that of the server?`,
    );
  throw new AssertionFailure(sendTo(tester, recipient), {
    expected: `a message to ${recipient} in the mailbox within ${delivery} s (deadlines.delivery): a slower server needs a longer one`,
    found: "none, while other messages arrived",
  });
}

/** The request that sent a message to an email address, with its response; the last one if none of the test case did. */
export const sendTo = ({ exchanges }: Tester, recipient: string): Exchange | undefined =>
  exchanges.find(({ request }) => JSON.stringify(request.body)?.includes(recipient)) ?? exchanges.at(-1);

/** A message that was sent to a new email address, as it arrives. */
export async function sentAndReceived(tester: Tester, changes: Json): Promise<Email> {
  const recipient = newRecipient(tester);
  await requestOk(tester, "sendEmail", { body: message(tester, { to: [recipient], ...changes }) });
  return receivedBy(tester, recipient);
}

/** As many files as a message can have, the first two of which have one name, and the first one no type. All have bytes that mail changes outside of base64. */
export const manyFiles = (tester: Tester) =>
  Array.from({ length: limits.attachments }, (_, index) => ({
    filename: `${index || 1} ${fileNames[(index || 1) % fileNames.length]}`,
    content: Buffer.from(`File ${tester.run.unique()}\n.\r \r\n\0\xff`, "latin1").toString("base64"),
    content_type: index === 0 ? undefined : index % 2 === 0 ? "application/pdf" : "text/csv",
  }));

/** The content of a file, in base64. */
export const bytesOf = ({ content }: Attachment): string =>
  typeof content === "string" ? btoa(content) : Buffer.from(new Uint8Array(content)).toString("base64");

/** A part of a mail in one line, because servers may wrap lines. */
export const inOneLine = (text: string | undefined): string => (text ?? "").replaceAll(/\s+/g, " ").trim();

/** What a web page shows after a link was opened. */
export interface OpenedPage {
  /** The request and the status; the query of the URL, which has a token, is left out. */
  note: string;
  /** Undefined without a complete response. */
  status?: number;
  /** The HTML of the page, with its URL and cookies; undefined for another media type or an error. */
  html?: { url: string; text: string; cookie: string };
  /** Whether it is the response to a form. */
  isOfForm?: boolean;
}

interface Visit {
  fetch: Fetch;
  /** In seconds. */
  deadline: number;
}

/** More are not opened. */
const maxLinks = 5;
const confirming = /confirm|verif|activat|opt-?in|subscribe/i;
const leaving = /unsub|opt-?out|leave|remove|decline|report|abuse|not-?me/i;

/** The links of a confirmation email that may confirm: those that say so, otherwise all but links to leave. */
export async function confirmationLinks({ html = "", text = "" }: Email): Promise<string[]> {
  const { linksIn } = await loadHtml();
  // Punctuation may end the sentence.
  const urls = text.matchAll(/https?:\/\/[^\s<>"')\]]*[^\s<>"')\].,;:!?]/g);
  const plain = [...urls].map(([url]) => ({ url, label: "" }));
  const links = [...linksIn(html), ...plain].filter(
    ({ url, label }) => /^https?:/i.test(url) && !leaving.test(url + label),
  );
  const isLikely = ({ url, label }: (typeof links)[number]): boolean => confirming.test(url + label);
  const likely = links.filter(isLikely);
  return [...new Set((likely.length > 0 ? likely : links).map(({ url }) => url))].slice(0, maxLinks);
}

/** Loaded with the first mail: most runs have none. */
const loadHtml = () => import("./html-page.ts");

/** Submits the forms of a page that may confirm, such as one with a button only. */
export async function submitForms({ html }: OpenedPage, visit: Visit) {
  if (html === undefined) return [];
  const { formsIn } = await loadHtml();
  return formsIn(html.text)
    .filter(({ action, text }) => !leaving.test(text) && URL.canParse(action || html.url, html.url))
    .slice(0, maxLinks)
    .map(({ action: named, isPost, fields }) => {
      const action = new URL(named || html.url, html.url);
      const values = new URLSearchParams(fields).toString();
      if (!isPost) action.search = values;
      const isOwn = action.origin === new URL(html.url).origin && html.cookie !== "";
      const headers = {
        ...(isOwn && { cookie: html.cookie }),
        ...(isPost && { "content-type": "application/x-www-form-urlencoded" }),
      };
      const init = { headers, ...(isPost && { method: "POST", body: values }) };
      return async () => ({ ...(await openLink(action.href, visit, init)), isOfForm: true });
    });
}

/** Opens a link, or submits a form, as a web browser does, without scripts. */
export async function openLink(url: string, { fetch, deadline }: Visit, init: RequestInit = {}) {
  const name = `${init.method ?? "GET"} ${url.split("?")[0]}`;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(deadline * 1000) });
    const { status, headers } = response;
    const text = await readBody(response);
    const cookies = headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    const isPage = status < 400 && headers.get("content-type")?.startsWith("text/html") === true;
    return {
      note: `${name} responded with ${status}`,
      status,
      ...(isPage && { html: { url: response.url || url, text, cookie: cookies.join("; ") } }),
    };
  } catch (error) {
    return { note: `${name} had no response: ${connectionProblem(error, deadline).reason}` };
  }
}
