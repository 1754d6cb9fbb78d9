import { ErrorResponse, type Faults, isRecord } from "./error-response.ts";

const inside =
  /^(localhost|.*\.localhost|.*\.local|.*\.internal|0\..*|10\..*|127\..*|169\.254\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[(::|::1|f[cd].*|fe[89ab].*|::ffff:.*)\])$/i;

/** Records the faults of the attachments of a message. */
export function attachmentFaults(value: unknown, faults: Faults): void {
  if (!faults.unless(Array.isArray(value), "attachments", "has to be a list")) return;
  const list = value as unknown[];
  faults.unless(list.length <= 20, "attachments", "are more than 20");
  for (const [index, one] of list.entries()) {
    const wrong = faultIn(one);
    faults.unless(wrong === undefined, "attachments", `number ${index + 1} ${wrong}`);
  }
}

function faultIn(one: unknown): string | undefined {
  if (!isRecord(one)) return "is no object";
  const { filename, content, path, content_id, content_type } = one;
  if (typeof filename !== "string" || filename === "") return "has no filename";
  if (content === undefined && path === undefined) return "brings no file";
  if (content !== undefined && !isBase64(content)) return "has content that is no base64";
  if (path !== undefined && !isPublic(path)) return "has a path that cannot be downloaded from";
  if (content_id !== undefined && typeof content_id !== "string") return "has a content_id that is no text";
  const isType = content_type === undefined || /^[\w.+-]+\/[\w.+-]+( *;.*)?$/.test(String(content_type));
  return isType && (content_type === undefined || typeof content_type === "string")
    ? undefined
    : "has a content_type that is no media type";
}

const isBase64 = (value: unknown): boolean =>
  typeof value === "string" && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);

function isPublic(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" && !inside.test(hostname);
}

const largest = 28 * 1_000_000;

/** @throws ErrorResponse with 413 for a message that is too large with its attachments */
export function rejectLarge(message: Record<string, unknown>): void {
  const attached = Array.isArray(message.attachments) ? message.attachments.filter(isRecord) : [];
  const bytes = attached.reduce((sum, { content }) => sum + (String(content ?? "").length * 3) / 4, 0);
  const words = [message.subject, message.html, message.text].reduce<number>(
    (sum, text) => sum + Buffer.byteLength(String(text ?? "")),
    0,
  );
  if (bytes + words > largest) throw new ErrorResponse(413, "send_rejected", "That is more than 28 MB.");
}
