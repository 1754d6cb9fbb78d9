import { type Html, html, type Insert } from "../../lib/html.ts";
import { decoded } from "../../lib/text.ts";
import type { HttpResponse } from "../api/context.ts";
import { ControlError, download, findMessage } from "../control/operation.ts";
import { warningsOf } from "../control/records.ts";
import { confirmationLink, confirmationPrefix } from "../domain/confirmation.ts";
import type { Attachment, Message } from "../domain/records.ts";
import { decodedSize } from "../domain/sending.ts";
import {
  definitions,
  fileSize,
  htmlResponse,
  joined,
  link,
  live,
  moment,
  type PageContext,
  renderPage,
  rows,
  statusMark,
  userText,
} from "./components.ts";
import { subjectOf } from "./requests.ts";

export async function messagePage(context: PageContext): Promise<HttpResponse> {
  const { services, query, parameters } = context;
  const message = await findMessage(services, parameters.id ?? "");
  const path = `/messages/${encodeURIComponent(message.id)}`;
  const views = messageViews.filter((one) => one.exists(message));
  const view = views.find(({ name }) => name === query.get("view")) ?? views[0];
  // Only until its final status, because the whole message is read each time.
  const follow = (name: string, part: Html): Html => live(name, part, message.dueAt === null);
  const warnings = warningsOf(message).map((warning) => html`<p class="notice">${userText(warning)}</p>`);
  const content = html`${follow("properties", html`${warnings}${properties(message)}`)}
<nav class="views" aria-label="Views of the message">${views.map((one) =>
    link(`${path}?view=${one.name}`, one.label, one === view),
  )}</nav>
${await view?.render(message, path)}
${attachmentList(message, path)}
${follow("events", html`${eventList(message)}${bounceDetails(message)}`)}`;
  return renderPage(context, { title: subjectOf(message.content.subject), section: "/", content });
}

function properties(message: Message): Html {
  const { subject, reply_to } = message.content;
  const recipients = (list: string[]): Insert => list.length > 0 && joined(list.map(userText));
  const time = (at: number | null): Insert => at !== null && html`${moment(at)} UTC`;
  const tags = Object.entries(message.tags);
  return definitions([
    ["Status", statusMark(message.status)],
    ["Subject", subject.length > 150 && userText(subject)],
    ["From", userText(message.from)],
    ["To", recipients(message.to)],
    ["Cc", recipients(message.cc)],
    ["Bcc", recipients(message.bcc)],
    ["Reply-To", reply_to !== null && userText(reply_to)],
    ["Scheduled for", time(message.scheduledAt)],
    ["Sent", time(message.sentAt)],
    [
      "Tags",
      tags.length > 0 && tags.map(([name, value]) => html`<div>${userText(name)}: ${userText(value)}</div>`),
    ],
    ["Id", html`<code>${message.id}</code>`],
    ["Account", message.accountId],
  ]);
}

const eventList = ({ events, dueAt }: Message): Html => html`<h2>Events</h2>
${rows(
  events.map(({ type, at, detail }, index) => ({
    key: String(index),
    row: html`<span class="title">${userText(type)}</span><span class="side">${moment(at)}</span>
${detail !== null && html`<span class="more small soft">${userText(detail)}</span>`}`,
  })),
  "No events yet.",
)}
${dueAt !== null && html`<p class="small soft">Due at ${moment(dueAt)} UTC. To get there now, advance the <a href="/clock">clock</a>.</p>`}`;

const bounceDetails = ({ bounce }: Message): Insert =>
  bounce !== null &&
  html`<h2>Bounce</h2>${definitions([
    ["Type", userText(bounce.type)],
    ["Subtype", userText(bounce.subtype)],
    ["Permanent", bounce.permanent ? "yes" : "no"],
    ["Summary", userText(bounce.summary)],
    ["What to do", userText(bounce.what_to_do)],
    ["Diagnostic", html`<code>${userText(bounce.diagnostic)}</code>`],
  ])}`;

/** Longer texts are truncated on the page. */
const shownCharacters = 100_000;

/** The message as MIME. Loaded on demand: nodemailer delays the first page. */
const eml = async (message: Message): Promise<Uint8Array> =>
  (await import("../mail/compose.ts")).compose(message);

/** A way to show a message. */
interface MessageView {
  name: string;
  label: string;
  exists(message: Message): boolean;
  render(message: Message, path: string): Html | Promise<Html>;
}

/** All views, the best first. */
const messageViews: MessageView[] = [
  {
    name: "html",
    label: "HTML",
    exists: ({ content }) => content.html !== null,
    render: (_message, path) =>
      html`<div class="frame"><iframe sandbox="" title="HTML of the message" src="${path}/html" referrerpolicy="no-referrer"></iframe></div>
<p class="small soft">Scripts and external resources are blocked.</p>`,
  },
  {
    name: "text",
    label: "Text",
    exists: ({ content }) => content.text !== null,
    render: ({ id, content }, path) =>
      id.startsWith(confirmationPrefix)
        ? confirmationText(content.text ?? "")
        : plainText(content.text ?? "", path),
  },
  {
    name: "source",
    label: "Source",
    exists: () => true,
    async render(message, path) {
      const source = await eml(message);
      const shown = new TextDecoder().decode(source.subarray(0, shownCharacters));
      return html`${plainText(source.length > shownCharacters ? `${shown}…` : shown, path)}
<p><a href="/sandbox/outbox/${encodeURIComponent(message.id)}.eml">Save as .eml</a> <span class="small soft">${fileSize(source.length)}</span></p>`;
    },
  },
  {
    name: "headers",
    label: "Headers",
    exists: () => true,
    render: async (message) => headerList(await eml(message)),
  },
];

/** The text of a confirmation email, whose link can be clicked. */
function confirmationText(text: string): Html {
  const [url = "", path = ""] = confirmationLink.exec(text) ?? [];
  const [before = "", after = ""] = url === "" ? [text] : text.split(url, 2);
  return html`<pre tabindex="0">${before}${url !== "" && html`<a href="${path}">${url}</a>`}${after}</pre>`;
}

const plainText = (text: string, path: string): Html =>
  html`<pre tabindex="0" dir="auto">${text.slice(0, shownCharacters)}</pre>${
    text.length > shownCharacters &&
    html`<p class="small soft">Truncated after ${shownCharacters} characters; the <a href="${path}?view=source">source</a> has the whole text.</p>`
  }`;

/** The header fields, unfolded. */
function headerList(source: Uint8Array): Html {
  const [head = ""] = new TextDecoder().decode(source.subarray(0, 1_000_000)).split("\r\n\r\n", 1);
  const fields = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  return html`<dl>${fields.map(headerRow)}</dl>`;
}

function headerRow(field: string): Insert {
  const colon = field.indexOf(":");
  return (
    colon > 0 &&
    html`<dt class="mono">${field.slice(0, colon)}</dt><dd class="mono">${userText(field.slice(colon + 1).trim())}</dd>`
  );
}

// No scripts, forms or external resources, and a unique origin: `sandbox` also applies when the URL is opened outside the frame.
const contentSecurityPolicy = [
  "sandbox",
  "default-src 'none'",
  "img-src data:",
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** The unchanged HTML of a message, for a frame in which it can do nothing. */
export async function framePage({ services, parameters }: PageContext): Promise<HttpResponse> {
  const { content } = await findMessage(services, parameters.id ?? "");
  return htmlResponse(withInlineImages(content.html ?? "", content.attachments), contentSecurityPolicy, {
    "referrer-policy": "no-referrer",
    // DNS prefetching would reveal to the owners of links that the message was opened, and no content security policy prevents it.
    "x-dns-prefetch-control": "off",
  });
}

/** The limit of all inserted images in characters: an image can be referenced any number of times. */
const inlineLimit = 64 * 1024 * 1024;

/** Replaces `cid:` references by the images themselves, which a frame without an origin cannot fetch. */
export function withInlineImages(markup: string, attachments: Attachment[]): string {
  const images = new Map(attachments.flatMap(inlineImage));
  if (images.size === 0) return markup;
  let remaining = inlineLimit;
  return markup.replaceAll(/\bcid:([^\s"'<>()]+)/gi, (reference, name: string) => {
    const image = images.get(decoded(name) ?? name);
    if (image === undefined || image.length > remaining) return reference;
    remaining -= image.length;
    return image;
  });
}

function inlineImage(attachment: Attachment): [string, string][] {
  const { content_id, content_type = "" } = attachment;
  if (content_id === undefined || !("content" in attachment) || !/^image\/[\w.+-]+$/i.test(content_type))
    return [];
  // Base64 can contain line breaks; any other character could end the attribute.
  const base64 = attachment.content.replaceAll(/[^A-Za-z0-9+/=]/g, "");
  return [[content_id, `data:${content_type};base64,${base64}`]];
}

/** The attachments of a message, with links to save them; nothing without any. */
const attachmentList = ({ content }: Message, path: string): Insert =>
  content.attachments.length > 0 &&
  html`<h2>Attachments</h2>${rows(
    content.attachments.map((attachment, index) => attachmentRow(attachment, `${path}/attachments/${index}`)),
    "",
  )}`;

function attachmentRow(attachment: Attachment, path: string): Html {
  const { filename, content_type = "application/octet-stream", content_id } = attachment;
  const kind = html`<span class="small soft">${userText(content_type)}${
    content_id !== undefined && html`, inline as ${userText(content_id)}`
  }</span>`;
  if ("path" in attachment)
    return html`<span class="title">${userText(filename)}</span><span class="side">not downloaded</span>
${kind}<span class="more small soft">${userText(attachment.path)}</span>`;
  return html`<a class="title" href="${path}">${userText(filename)}</a>
<span class="side">${fileSize(decodedSize(attachment.content))}</span>${kind}`;
}

export async function attachmentFile({ services, parameters }: PageContext): Promise<HttpResponse> {
  const { id = "", index = "" } = parameters;
  const { content } = await findMessage(services, id);
  const attachment = /^\d{1,2}$/.test(index) ? content.attachments[Number(index)] : undefined;
  if (attachment === undefined || !("content" in attachment))
    throw new ControlError(
      `The message ${JSON.stringify(id)} has no attachment ${JSON.stringify(index.slice(0, 100))}.`,
      "The page of the message lists its attachments.",
      404,
    );
  return download(Buffer.from(attachment.content, "base64"), "application/octet-stream", attachment.filename);
}
