import { el } from "./dom.ts";

/** Elements that load something, replace the page of the frame, or have parts that are not found here. */
const removed = "script, link, meta, base, iframe, frame, object, embed, source, svg, math, template";

const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** An attachment of the request that sent the message. */
export interface SentAttachment {
  content_id?: unknown;
  content_type?: unknown;
  /** In base64. */
  content?: unknown;
}

/**
 * The HTML of a message in a frame: it runs no scripts and loads nothing, and its links show where they lead, but do not lead there.
 * @param attachments for images that are attached
 */
export function htmlPreview(html: string, attachments: readonly SentAttachment[]): HTMLElement {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const element of parsed.querySelectorAll(removed)) element.remove();
  for (const link of parsed.querySelectorAll("[href]")) {
    link.setAttribute("title", link.getAttribute("href") ?? "");
    link.removeAttribute("href");
  }
  for (const image of parsed.querySelectorAll("img")) showImage(image, attachments);
  parsed.head.prepend(
    el("meta", { "http-equiv": "content-security-policy", content: policy }),
    el("style", {}, "body { font: 14px/1.5 sans-serif } a { color: #0b5f6b } img { max-width: 100% }"),
  );
  const frame = el("iframe", {
    // Its origin is of no use without scripts, which both the sandbox and the policy exclude; with it, this page gets its keys.
    ...{ sandbox: "allow-same-origin", title: "HTML of the message", referrerpolicy: "no-referrer" },
    srcdoc: `<!doctype html>${parsed.documentElement.outerHTML}`,
  });
  frame.addEventListener("load", () => passEscape(frame));
  const note = "Scripts, links and remote content are off.";
  const label = el("h4", {}, "HTML");
  return el("div", { class: "html-preview" }, label, frame, el("p", { class: "note" }, note));
}

/** An image that is attached or in the HTML itself; the alternative text of any other, which would be shown as broken. */
function showImage(image: HTMLImageElement, attachments: readonly SentAttachment[]): void {
  const source = image.getAttribute("src") ?? "";
  image.removeAttribute("srcset");
  if (/^data:/i.test(source)) return;
  const url = /^cid:/i.test(source) ? attachedImage(source.slice("cid:".length), attachments) : undefined;
  if (url === undefined) image.replaceWith(image.alt);
  else image.src = url;
}

function attachedImage(reference: string, attachments: readonly SentAttachment[]): string | undefined {
  const ids = [reference, unescaped(reference)];
  const found = attachments.find(({ content_id: id }) => ids.includes(String(id)));
  const { content_type: type, content } = found ?? {};
  const isImage = typeof content === "string" && /^image\/[\w.+-]+$/i.test(String(type));
  return isImage ? `data:${type};base64,${content.replaceAll(/\s/g, "")}` : undefined;
}

function unescaped(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** Escape closes the panel from its frame too. The window has the listener: elements of the message can hide the methods of its document. */
function passEscape(frame: HTMLIFrameElement): void {
  frame.contentWindow?.addEventListener("keydown", ({ key, isComposing }) => {
    if (key === "Escape" && !isComposing)
      frame.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
}
