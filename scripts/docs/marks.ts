import { openAddress, requirementAddress } from "./addresses.ts";
import { siteLink } from "./markdown.ts";

/** A place of the document that carries promises, or leaves something open. */
export interface Marked {
  "x-encodes"?: string[];
  "x-leaves-unspecified"?: string[];
}

/**
 * What a reader seldom needs, and search passes over, in small print: bounds that are no promise, what a place leaves
 * open, and the promises that it carries, each a link to its row.
 *
 * @param room bounds that are no promise and only let tools set memory aside, a phrase each
 */
export function smallPrint(place: object, room: string[] = []): string {
  const { "x-encodes": encoded = [], "x-leaves-unspecified": open = [] } = place as Marked;
  const promises = encoded.map((id) => siteLink(id, requirementAddress(id)));
  const gaps = open.map((id) => siteLink(id, openAddress(id)));
  const parts = [
    ...(room.length === 0 ? [] : [`Technical bound, not promised: ${room.join("; ")}`]),
    ...(gaps.length === 0 ? [] : [`Left open: ${gaps.join(", ")}`]),
    ...(promises.length === 0 ? [] : [`Promises: ${promises.join(", ")}`]),
  ];
  return parts.length === 0 ? "" : `<small data-pagefind-ignore>${parts.join(" · ")}</small>`;
}
