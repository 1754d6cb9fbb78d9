/**
 * The Markdown of a page without HTML that only serves its layout. A diagram becomes its description; anchors stay,
 * since links lead to them; code blocks stay as they are.
 */
export const plainMarkdown = (text: string): string =>
  text
    .replaceAll(/ *<!-- site only -->[\s\S]*?<!-- end of site only -->\n*/g, "")
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : withoutLayout(part)))
    .join("")
    .trim();

const layoutTags = "div|details|table|tbody|tr|th|td";

const withoutLayout = (text: string): string =>
  text
    .replaceAll(/<figure .*?<desc[^>]*>(.*?)<\/desc>.*?<\/figure>/g, "$1")
    .replaceAll(/<p class="endpoint">.*?data-method="(.*?)" data-path="(.*?)".*?<\/p>/g, "`$1 $2`")
    .replaceAll(/^ *<(fieldset|caption|thead|button).*<\/\1>$/gm, "")
    .replaceAll(
      /<summary>(.*?)<\/summary>/g,
      (_, summary: string) => `**${summary.replaceAll(/<\/?code>/g, "`")}**`,
    )
    .replaceAll(new RegExp(`^ *</?(?:${layoutTags})(?: [^>]*)?>(?:</div>)?$`, "gm"), "")
    .replaceAll(/<a (id="[^"]*") class="self"[^>]*>/g, "<a $1>")
    .replaceAll(/ <span class="chip[^"]*">(.*?)<\/span>/g, " · $1")
    .replaceAll(/<\/?(?:small|span)(?: [^>]*)?>/g, "")
    .replaceAll(/\n(?: *\n){2,}/g, "\n\n");
