import { type Html, html, type Insert } from "../../lib/html.ts";
import { confirmationLink, confirmationPrefix } from "../domain/confirmation.ts";
import type { Message } from "../domain/records.ts";
import { fileSize, userText } from "./components.ts";

/** Longer texts are truncated on the page. */
const shownCharacters = 100_000;

/** The message as MIME. Loaded on demand: nodemailer delays the first page. */
const eml = async (message: Message): Promise<Uint8Array> =>
  (await import("../mail/compose.ts")).compose(message);

/** A way to show a message. */
export interface MessageView {
  name: string;
  label: string;
  exists(message: Message): boolean;
  render(message: Message, path: string): Html | Promise<Html>;
}

/** All views, the best first. */
export const messageViews: MessageView[] = [
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
  const text = new TextDecoder().decode(source.subarray(0, 1_000_000));
  const [head = ""] = text.split("\r\n\r\n", 1);
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
