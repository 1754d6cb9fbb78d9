import type { Schema } from "../../document/types.ts";
import { chip } from "../text/layout.ts";
import { collapsed, entry, linkedAnchor } from "../text/markdown.ts";
import { fieldRules } from "./rules.ts";

/** A field, parameter or header, and what is said of it. */
export interface FieldText {
  /** Markdown. */
  name: string;
  anchor: string;
  type: string;
  schema: Schema;
  /** When the field is present. */
  presence: { text: string; kind: "required" | "presence" } | undefined;
  description: string | undefined;
  notes?: string[];
  /** What is inside. */
  parts?: string;
}

export const requiredChip = { text: "required", kind: "required" } as const;

/** A list entry: name, type and chips in one line, the rest below. */
export function fieldEntry(field: FieldText): string {
  const { presence, description = "", notes = [], parts = "" } = field;
  const { chips, sentence, small } = fieldRules(field.schema);
  const marks = `${presence === undefined ? "" : chip(presence.text, presence.kind)}${chips}`;
  const first = `**${field.name}**${linkedAnchor(field.anchor, field.name)} *${field.type}*${marks}`;
  return entry(first, description, sentence, ...notes, small, parts);
}

export const folded = (summary: string, text: string, state: "open" | "closed"): string =>
  collapsed(summary, text, ` class="fold"${state === "open" ? " open" : ""}`);
