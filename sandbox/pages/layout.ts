import { hash } from "node:crypto";
import { Html, html, type Insert } from "../../lib/html.ts";
import { commonHeaders, type SiteResponse } from "../control/response.ts";
import { link, moment, type PageContext } from "./components.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  // The one script of the pages, and what it requests: the page again.
  `script-src 'sha256-${hash("sha256", script, "base64")}'`,
  "connect-src 'self'",
  "img-src data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const sections = [
  ["/", "Outbox"],
  ["/requests", "Requests"],
  ["/contacts", "Contacts"],
  ["/suppressions", "Suppressions"],
  ["/clock", "Clock"],
  ["/failures", "Failures"],
  ["/control", "Control API"],
] as const;

/** The section that a page belongs to, by its path. */
export type Section = (typeof sections)[number][0];

/** An HTML response with its content security policy. */
export const htmlResponse = (
  body: string,
  policy: string,
  headers: Record<string, string>,
  status = 200,
): SiteResponse => ({
  status,
  headers: {
    ...commonHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cross-origin-resource-policy": "same-origin",
    ...headers,
  },
  body,
});

/** Renders a page with its heading, the sections, and the time of the sandbox. */
export function renderPage(
  { services }: Pick<PageContext, "services">,
  { title, section, content, status }: { title: string; section: Section; content: Insert; status?: number },
): SiteResponse {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.slice(0, 150)} · Sandbox</title>
<link rel="icon" href="data:,">
${new Html(`<style>${style}</style>`)}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><div>
<p class="name">Sandbox</p>
<p class="now"><span class="live" role="status"></span><span data-live="now">${moment(services.clock.now())} UTC</span></p>
<nav class="main" aria-label="Sections">${sections.map(([path, label]) => link(path, label, path === section))}</nav>
</div></header>
<main id="content">
<h1><bdi>${shorten(title)}</bdi></h1>
${content}
</main>
${new Html(`<script>${script}</script>`)}
</body>
</html>
`;
  // With `no-referrer` browsers send `Origin: null` with the page's own forms.
  const headers = { "referrer-policy": "same-origin", "cross-origin-opener-policy": "same-origin" };
  return htmlResponse(text, contentSecurityPolicy, headers, status);
}

const shorten = (title: string): string => (title.length > 150 ? `${title.slice(0, 149)}…` : title);
