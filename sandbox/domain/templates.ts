import { escapeHtml } from "../../lib/escape-html.ts";
import type { Template } from "./records.ts";

const placeholder = /\{\{\s*([\w.:-]{1,256})\s*\}\}/g;

export interface FilledTemplate {
  subject: string;
  html: string | null;
  text: string | null;
  /** The variables without a value; omitted if there are none. */
  missingVariables?: string[];
}

/**
 * Fills in the variables of a template. A missing one becomes empty and is reported. Values are escaped in HTML, and lose their line breaks in
 * the subject.
 */
export function fillTemplate(template: Template, variables: Record<string, unknown>): FilledTemplate {
  const missing = new Set<string>();
  const value = (name: string): string => {
    if (Object.hasOwn(variables, name)) return plain(variables[name]);
    missing.add(name);
    return "";
  };
  const filled = {
    subject: fill(template.subject, (name) => value(name).replace(/[\r\n]+/g, " ")),
    html: template.html === null ? null : fill(template.html, (name) => escapeHtml(value(name))),
    text: template.text === null ? null : fill(template.text, value),
  };
  return missing.size === 0 ? filled : { ...filled, missingVariables: [...missing] };
}

const fill = (text: string, value: (name: string) => string): string =>
  text.replace(placeholder, (_whole, name: string) => value(name));

function plain(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
