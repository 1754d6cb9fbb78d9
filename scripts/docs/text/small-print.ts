import { siteLink } from "./markdown.ts";
import { requirementPath, unspecifiedPath } from "./page-paths.ts";

/** The ids that a part of the document can carry. */
interface Ids {
  "x-encodes"?: string[];
  "x-leaves-unspecified"?: string[];
}

/** The ids of several parts, each once. */
export function mergedIds(...parts: object[]): Ids {
  const keys = ["x-encodes", "x-leaves-unspecified"] as const;
  const merged = keys.map(
    (key) => [key, new Set(parts.flatMap((part) => (part as Ids)[key] ?? []))] as const,
  );
  return Object.fromEntries(merged.filter(([, ids]) => ids.size > 0).map(([key, ids]) => [key, [...ids]]));
}

/**
 * The technical limits of a part, and links to its requirements and to what it leaves unspecified. The search skips them.
 *
 * @param limits a phrase for each technical limit
 */
export function smallPrint(part: object, limits: string[] = []): string {
  const { "x-encodes": encoded = [], "x-leaves-unspecified": unspecified = [] } = part as Ids;
  const lists = {
    "Technical limit, not part of the contract": { kind: "technical", text: limits.join("; ") },
    Unspecified: {
      kind: "open",
      text: unspecified.map((id) => siteLink(id, unspecifiedPath(id))).join(", "),
    },
    Requirements: {
      kind: "encoded",
      text: encoded.map((id) => siteLink(id, requirementPath(id))).join(", "),
    },
  };
  const shown = Object.entries(lists).filter(([, { text }]) => text !== "");
  if (shown.length === 0) return "";
  const parts = shown.map(([name, { kind, text }]) => `<span class="${kind}">${name}: ${text}</span>`);
  return `<small data-pagefind-ignore>${parts.join(" · ")}</small>`;
}
