/**
 * A page's Markdown without what only a browser needs of it: drawings give way to their description, and marks for the
 * style sheet go. Anchors stay, since links lead to them; blocks of code stay as they are.
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
      /<p class="call"><code><b>(.*?)<\/b> (.*?)<\/code> <code[^>]*>(.*?)<\/code><\/p>/g,
      "`$1 $2` (`$3`)",
    )
    .replaceAll(
      /<summary>(.*?)<\/summary>/g,
      (_, words: string) => `**${words.replaceAll(/<\/?code>/g, "`")}**`,
    )
    .replaceAll(/^ *<\/?(?:div|details|sample-tabs)(?: [^>]*)?>$/gm, "")
    .replaceAll(/<\/?(?:small|span)(?: [^>]*)?>/g, "")
    .replaceAll(/\n{3,}/g, "\n\n");
