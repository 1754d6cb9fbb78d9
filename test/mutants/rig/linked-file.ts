import { hash } from "node:crypto";
import { demoFixtures } from "../../../scripts/contract/targets.ts";

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** With bytes that are no text. */
const linkedFile = Buffer.concat([
  Buffer.from("Terms of the bakery: bread is paid at the counter.\r\n"),
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
]);

/** SHA-256 of the file at the link of the demo fixtures. */
export const linkedFileHash = hash("sha256", linkedFile);

/** The server, which gets the file of that link without a network. */
export const withLinkedFile =
  (fetch: Fetch): Fetch =>
  (url, init) => {
    const { body } = init;
    const { attachmentLink = "" } = demoFixtures;
    if (!url.endsWith("/emails") || typeof body !== "string" || !body.includes(attachmentLink))
      return fetch(url, init);
    const message = JSON.parse(body) as { attachments?: Record<string, unknown>[] };
    const attachments = message.attachments?.map(({ path, ...attachment }) =>
      path === attachmentLink && !("content" in attachment)
        ? { ...attachment, content: linkedFile.toString("base64") }
        : { ...attachment, ...(path !== undefined && { path }) },
    );
    return fetch(url, { ...init, body: JSON.stringify({ ...message, attachments }) });
  };
