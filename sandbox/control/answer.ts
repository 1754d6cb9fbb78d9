/** An answer outside the API: of a control call or a page. */
export interface SiteAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** A control call that is not done: what is wrong, and what to do. */
export class ControlRefusal extends Error {
  readonly status: number;
  readonly hint: string;

  constructor(status: number, message: string, hint: string) {
    super(message);
    this.name = "ControlRefusal";
    this.status = status;
    this.hint = hint;
  }
}

const common = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** An answer in JSON, set so that it can be read in a terminal. */
export const json = (value: unknown, status = 200): SiteAnswer => ({
  status,
  headers: { ...common, "content-type": "application/json" },
  body: `${JSON.stringify(value, null, 2)}\n`,
});

/** The one shape of everything that goes wrong outside the API. */
export const refused = (status: number, message: string, hint: string): SiteAnswer =>
  json({ error: { message, hint } }, status);

/** Bytes that are saved, never shown in the browser. */
export const download = (bytes: Uint8Array, type: string, name: string): SiteAnswer => ({
  status: 200,
  headers: {
    ...common,
    "content-type": type,
    "content-disposition": disposition(name),
    "content-security-policy": "sandbox; default-src 'none'",
  },
  body: bytes,
});

/** Names a file in plain letters for old programs, and in all its letters for the others (RFC 6266). */
function disposition(name: string): string {
  // Cut first: the cut may go through a letter of two units.
  const clean = name
    .slice(0, 200)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, "_");
  const plain = clean.replaceAll(/[^\w .()+-]/g, "_");
  const coded = encodeURIComponent(clean).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`;
}
