import { escapeHtml } from "../../../lib/escape-html.ts";
import { type Html, templateWith } from "../../../lib/html.ts";
import { visible } from "../../text.ts";

/** A template in which invisible characters become codes. */
export const html = templateWith((text) => escapeHtml(visible(text)));

/** Text with `code` in backticks. */
export const withCode = (text: string): Html[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
