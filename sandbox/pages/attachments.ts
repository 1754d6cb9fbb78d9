import { type Html, html, type Insert } from "../../lib/html.ts";
import { findMessage } from "../control/operation.ts";
import { ControlError, download, type SiteResponse } from "../control/response.ts";
import type { Attachment, Message } from "../domain/records.ts";
import { decodedSize } from "../domain/size.ts";
import { fileSize, type PageContext, rows, userText } from "./components.ts";

/** The attachments of a message, with links to save them; nothing without any. */
export const attachmentList = ({ content }: Message, path: string): Insert =>
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

/** The file of an attachment. */
export async function attachmentFile({ services, parameters }: PageContext): Promise<SiteResponse> {
  const { id = "", index = "" } = parameters;
  const { content } = await findMessage(services, id);
  const attachment = /^\d{1,2}$/.test(index) ? content.attachments[Number(index)] : undefined;
  if (attachment === undefined || !("content" in attachment))
    throw new ControlError(
      404,
      `The message ${JSON.stringify(id)} has no attachment ${JSON.stringify(index.slice(0, 100))}.`,
      "The page of the message lists its attachments.",
    );
  return download(Buffer.from(attachment.content, "base64"), "application/octet-stream", attachment.filename);
}
