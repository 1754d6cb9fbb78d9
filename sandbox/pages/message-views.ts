import type { Composer } from "../control/parts.ts";
import type { Message } from "../domain/records.ts";
import { type Html, html, type Insert } from "./html.ts";
import { outside, size } from "./parts.ts";

/** A page shows this much of a text; the whole is in the `.eml`. */
const shownCharacters = 100_000;

const labels = { html: "HTML", text: "Text", source: "Source", headers: "Headers" } as const;
type ViewName = keyof typeof labels;

/** The views that a message has, the best first. */
export function viewsOf({ content }: Message): { name: ViewName; label: string }[] {
  const names: ViewName[] = ["html", "text", "source", "headers"];
  return names
    .filter((name) => (name === "html" || name === "text" ? content[name] !== null : true))
    .map((name) => ({ name, label: labels[name] }));
}

/** One view of a message. It is composed only where its source is looked at. */
export async function messageView(
  name: ViewName,
  message: Message,
  outbox: Composer,
  address: string,
): Promise<Html> {
  if (name === "html")
    return html`<div class="frame"><iframe sandbox="" title="The message, as HTML" src="${address}/html" referrerpolicy="no-referrer"></iframe></div>
<p class="small soft">Shown without scripts, and without anything from the internet.</p>`;
  if (name === "text") return plain(message.content.text ?? "", address);
  const source = await outbox.eml(message);
  return name === "headers"
    ? headerList(source)
    : html`${plain(sourceText(source), address)}${whole(message, source)}`;
}

const plain = (text: string, address: string): Html =>
  html`<pre tabindex="0" dir="auto">${text.slice(0, shownCharacters)}</pre>${
    text.length > shownCharacters &&
    html`<p class="small soft">Cut after ${shownCharacters} characters; the whole is in the <a href="${address}?view=source">source</a>.</p>`
  }`;

const sourceText = (source: Uint8Array): string =>
  new TextDecoder().decode(source.subarray(0, shownCharacters)) +
  (source.length > shownCharacters ? "…" : "");

const whole = ({ id }: Message, source: Uint8Array): Html =>
  html`<p><a href="/sandbox/outbox/${encodeURIComponent(id)}.eml">Save as .eml</a> <span class="small soft">${size(source.length)}</span></p>`;

/** The header fields, a folded one put together again. */
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
    html`<dt class="mono">${field.slice(0, colon)}</dt><dd class="mono">${outside(field.slice(colon + 1).trim())}</dd>`
  );
}
