import { hash } from "node:crypto";
import type { SiteAnswer } from "../control/answer.ts";
import { Html, html, type Insert } from "./html.ts";
import { style } from "./style.ts";

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  "img-src data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers: Record<string, string> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": contentSecurityPolicy,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // With `no-referrer` browsers send `Origin: null` with the page's own forms.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const sections = [
  ["/", "Outbox"],
  ["/calls", "Calls"],
  ["/contacts", "Contacts"],
  ["/suppressions", "Suppressions"],
  ["/clock", "Clock"],
] as const;

/** The section that a page belongs to, by its address. */
export type Section = (typeof sections)[number][0];

/** A page in its frame: title, the time of the sandbox, the sections. */
export function document(page: {
  title: string;
  section: Section;
  now: number;
  content: Insert;
  status?: number;
}): SiteAnswer {
  const link = ([path, label]: (typeof sections)[number]): Html =>
    html`<a href="${path}"${path === page.section ? html` aria-current="page"` : ""}>${label}</a>`;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Sandbox</title>
<link rel="icon" href="data:,">
${new Html(`<style>${style}</style>`)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div>
<p class="name">Sandbox</p>
<p class="now">${moment(page.now)} UTC</p>
<nav class="main" aria-label="Sections">${sections.map(link)}</nav>
</div></header>
<main id="content">
${page.content}
</main>
</body>
</html>
`;
  return { status: page.status ?? 200, headers: { ...headers }, body: text };
}

/** A time, to the second and in UTC. */
export function moment(milliseconds: number): Html {
  const iso = new Date(milliseconds).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`;
}

/** Sends the browser on to a page, after a form. */
export const seeOther = (location: string): SiteAnswer => ({
  status: 303,
  headers: { location, "cache-control": "no-store" },
  body: "",
});
