/** A response outside the API: of the control API or a page. */
export interface SiteResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** A request to the control API or a page that fails: what is wrong, and what to do about it. */
export class ControlError extends Error {
  readonly status: number;
  readonly hint: string;

  constructor(status: number, message: string, hint: string) {
    super(message);
    this.name = "ControlError";
    this.status = status;
    this.hint = hint;
  }
}

/** On every response outside the API. */
export const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Of a 503 that ends within moments. */
export const retrySoon = { "retry-after": "1" };

/** An indented JSON response, readable in a terminal. */
export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): SiteResponse => ({
  status,
  headers: { ...commonHeaders, "content-type": "application/json", ...headers },
  body: `${JSON.stringify(value, null, 2)}\n`,
});

/** The error response of the control API. */
export const errorJson = (
  { status, message, hint }: Pick<ControlError, "status" | "message" | "hint">,
  headers: Record<string, string> = {},
): SiteResponse => json({ error: { message, hint } }, status, headers);

/** A 405 with the methods that the path accepts. */
export const methodNotAllowed = (method: string, path: string, methods: string[]): SiteResponse =>
  errorJson(
    {
      status: 405,
      message: `${path} does not accept ${method.slice(0, 100)}.`,
      hint: `Use ${methods.join(" or ")}.`,
    },
    { allow: methods.join(", ") },
  );

/** A file that the browser saves and never shows. */
export const download = (bytes: Uint8Array, type: string, name: string): SiteResponse => ({
  status: 200,
  headers: {
    ...commonHeaders,
    "content-type": type,
    "content-disposition": disposition(name),
    "content-security-policy": "sandbox; default-src 'none'",
  },
  body: bytes,
});

/** The file name in ASCII for old clients, and in full for all others (RFC 6266). */
function disposition(name: string): string {
  // Truncated first: that can split a surrogate pair.
  const clean = name
    .slice(0, 200)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, "_");
  const ascii = clean.replaceAll(/[^\w .()+-]/g, "_");
  const encoded = encodeURIComponent(clean).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
