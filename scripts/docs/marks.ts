import { openAddress, requirementAddress } from "./addresses.ts";
import { siteLink } from "./markdown.ts";

/** A place of the document that carries promises, or leaves something open. */
export interface Marked {
  "x-encodes"?: string[];
  "x-leaves-open"?: string[];
}

/** The promises that a place carries, and what it leaves open, each a link to its row. */
export function marks(place: object): string {
  const { "x-encodes": encoded = [], "x-leaves-open": open = [] } = place as Marked;
  const promises = encoded.map((id) => siteLink(id, requirementAddress(id)));
  const gaps = open.map((id) => siteLink(id, openAddress(id)));
  return [
    ...(gaps.length === 0 ? [] : [`Left open: ${gaps.join(", ")}`]),
    ...(promises.length === 0 ? [] : [`Promises: ${promises.join(", ")}`]),
  ].join("  \n");
}
