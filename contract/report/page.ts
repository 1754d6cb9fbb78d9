import { createHash } from "node:crypto";
import { projectFile } from "../../lib/files.ts";
import { Html } from "../../lib/html.ts";
import { html } from "./html-requirement.ts";

const shared = projectFile("lib/base.css") + projectFile("contract/report/page.css");

/** A self-contained page. @param more what its style has beside that of all pages */
export function page(title: string, body: Html, { style: more = "", script = "" } = {}): string {
  const style = shared + more;
  // Loads nothing, and runs only the page's own script: a response of the server cannot inject one.
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(style)}'`,
    ...(script === "" ? [] : [`script-src '${hashOf(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
${
  html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
${script !== "" && html`<script>${new Html(script)}</script>\n`}</body>
</html>`.text
}
`;
}

const hashOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;
