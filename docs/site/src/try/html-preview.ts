import { el } from "./dom.ts";

/** Elements that load something, replace the page of the frame, or have parts that are not found here. */
const removed = "script, link, meta, base, iframe, frame, object, embed, svg, math, template";

const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/** The HTML of a message in a frame: it runs no scripts and loads nothing, and its links show where they lead, but do not lead there. */
export function htmlPreview(html: string): HTMLElement {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const element of parsed.querySelectorAll(removed)) element.remove();
  for (const link of parsed.querySelectorAll("[href]")) {
    link.setAttribute("title", link.getAttribute("href") ?? "");
    link.removeAttribute("href");
  }
  parsed.head.prepend(
    el("meta", { "http-equiv": "content-security-policy", content: policy }),
    el("style", {}, "a { color: #0b5f6b; text-decoration: underline }"),
  );
  const frame = el("iframe", {
    ...{ sandbox: "", title: "HTML of the message", referrerpolicy: "no-referrer" },
    srcdoc: `<!doctype html>${parsed.documentElement.outerHTML}`,
  });
  const note = "Scripts, links and remote content are off.";
  return el("div", { class: "html-preview" }, frame, el("p", { class: "note" }, note));
}
