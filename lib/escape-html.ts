/** Escapes text for HTML, between tags and within quoted attributes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll(/&/g, "&amp;")
    .replaceAll(/</g, "&lt;")
    .replaceAll(/>/g, "&gt;")
    .replaceAll(/"/g, "&quot;")
    .replaceAll(/'/g, "&#39;");
