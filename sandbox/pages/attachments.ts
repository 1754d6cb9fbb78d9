import { messageOf } from "../control/actions.ts";
import { ControlRefusal, download, type SiteAnswer } from "../control/answer.ts";
import type { Attachment, Message } from "../domain/records.ts";
import { type Html, html, type Insert } from "./html.ts";
import { outside, rows, size } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** The files of a message, to be saved; nothing where it has none. */
export function attachmentList({ content }: Message, address: string): Insert {
  if (content.attachments.length === 0) return null;
  const lines = content.attachments.map((attachment, index) =>
    attachmentLine(attachment, `${address}/attachments/${index}`),
  );
  return html`<h2>Attachments</h2>${rows(lines, "")}`;
}

function attachmentLine(attachment: Attachment, address: string): Html {
  const kind = html`<span class="small soft">${outside(attachment.content_type ?? "application/octet-stream")}${
    attachment.content_id !== undefined && html`, inline as ${outside(attachment.content_id)}`
  }</span>`;
  if ("path" in attachment)
    return html`<span class="title">${outside(attachment.filename)}</span><span class="side">not downloaded</span>
${kind}<span class="more small soft">${outside(attachment.path)}</span>`;
  return html`<a class="title" href="${address}">${outside(attachment.filename)}</a>
<span class="side">${size(Buffer.byteLength(attachment.content, "base64"))}</span>${kind}`;
}

/** A file of a message, to be saved. */
export async function attachmentFile({ parts, path }: Visit): Promise<SiteAnswer> {
  const message = await messageOf(parts, path[0] ?? "");
  const attachment = message.content.attachments[Number(path[1])];
  if (attachment === undefined || !("content" in attachment))
    throw new ControlRefusal(
      404,
      "There is no such file.",
      "The page of the message lists those that there are.",
    );
  return download(Buffer.from(attachment.content, "base64"), "application/octet-stream", attachment.filename);
}
