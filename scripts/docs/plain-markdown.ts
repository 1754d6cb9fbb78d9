/**
 * The Markdown of a page without HTML that only serves its layout. A diagram becomes its description; anchors stay,
 * since links lead to them; code blocks stay as they are.
 */
export const plainMarkdown = (text: string): string =>
  text
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : withoutLayout(part)))
    .join("")
    .trim();

const withoutLayout = (text: string): string =>
  text
    .replaceAll(/<figure .*?<desc[^>]*>(.*?)<\/desc>.*?<\/figure>/g, "$1")
    .replaceAll(
      /<p class="endpoint"><code><b>(.*?)<\/b> (.*?)<\/code> <code[^>]*>(.*?)<\/code><\/p>/g,
      "`$1 $2` (`$3`)",
    )
    .replaceAll(
      /<summary>(.*?)<\/summary>/g,
      (_, summary: string) => `**${summary.replaceAll(/<\/?code>/g, "`")}**`,
    )
    .replaceAll(/^ *<\/?(?:div|details|sample-tabs)(?: [^>]*)?>$/gm, "")
    .replaceAll(/<\/?(?:small|span)(?: [^>]*)?>/g, "")
    .replaceAll(/\n{3,}/g, "\n\n");
