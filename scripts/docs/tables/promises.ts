import type { RequirementRow } from "../../document/types.ts";
import { requirementAddress } from "../addresses.ts";
import { siteLink } from "../markdown.ts";

/** Promises as a list: the id, which leads to how it is verified, and the sentence. */
export const promiseList = (rows: RequirementRow[]): string =>
  rows.map(({ id, text }) => `- ${siteLink(id, requirementAddress(id))}: ${text}`).join("\n");
