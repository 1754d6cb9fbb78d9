import { escapeXml } from "../../lib/html.ts";
import { brief } from "../text.ts";
import { badgeOf, openCount, scopeOf } from "./counts.ts";
import { levelClaim } from "./levels.ts";
import { type ContractResult, subjectOf } from "./result.ts";

/** A longer name of a client is cut. */
const maxName = 40;

/** An SVG badge with the number of requirements that fail, or else that pass. */
export const badgeReport = (result: ContractResult): string => badge(result, badgeOf(result));

/** An SVG badge with the highest level that is passed. */
export const levelBadgeReport = (result: ContractResult): string => badge(result, levelClaim(result));

function badge(result: ContractResult, { text: given, state }: ReturnType<typeof badgeOf>): string {
  const text = escapeXml(given);
  const label = result.client === undefined ? "contract" : escapeXml(brief(result.client.name, maxName));
  const left = widthOf(label);
  const right = widthOf(text);
  const { implementation, notImplemented } = result;
  const of = implementation === undefined ? label : `Contract of ${escapeXml(subjectOf(result))}`;
  const scope = [scopeOf({ ...result, without: [], notImplemented: [] }), ...openCount(notImplemented)];
  const title = `${of}: ${text} (${scope.join(", ")})`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" viewBox="0 0 ${left + right} 20" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="edge"><rect width="${left + right}" height="20" rx="4"/></clipPath>
<g clip-path="url(#edge)"><rect width="${left}" height="20" fill="#3d3a36"/><rect x="${left}" width="${right}" height="20" fill="${colours[state]}"/></g>
<g fill="#ffffff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle" aria-hidden="true">
<text x="${left / 2}" y="14" textLength="${left - 12}" lengthAdjust="spacingAndGlyphs">${label}</text>
<text x="${left + right / 2}" y="14" textLength="${right - 12}" lengthAdjust="spacingAndGlyphs">${text}</text>
</g>
</svg>
`;
}

/** Dark enough for white text. */
const colours = { fail: "#a8281f", warning: "#80560a", pass: "#1b6b3a" };

/** The estimated width of the text at 11 pixels, plus 6 on each side; `textLength` fits the text into it. */
function widthOf(text: string): number {
  const letters = [...text].map((letter) => (letter === " " ? 3.9 : /[fijlrt]/.test(letter) ? 4.2 : 7));
  return Math.round(letters.reduce((sum, width) => sum + width, 12));
}
