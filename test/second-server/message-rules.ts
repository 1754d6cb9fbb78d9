import { ErrorResponse, type Faults, isRecord } from "./request.ts";
import type { Account } from "./world.ts";

const addressForm = /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\].]+(\.[^\s@<>",;:\\()[\].]+)*$/;
const timeForm =
  /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d(:([0-5]\d|60)([.,]\d+)?)?([Zz]|[+-]\d\d(:?\d\d)?)$/;
const month = 30 * 86_400_000;

export const isAddress = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 254 && addressForm.test(value);

/** Records the faults of a message; `at` is the prefix of the field names. */
export function messageFaults(
  given: Record<string, unknown>,
  {
    at,
    inBatch,
    now,
    templates,
  }: { at: string; inBatch: boolean; now: number; templates: Account["templates"] },
  faults: Faults,
): void {
  const has = (name: string): boolean => given[name] !== undefined;
  const text = (name: string): boolean =>
    !has(name) || faults.unless(typeof given[name] === "string", at + name, "has to be a text");
  faults.unless(isAddress(given.from), `${at}from`, "has to be one bare address");
  addresses(given.to, `${at}to`, faults, true);
  for (const name of ["cc", "bcc"]) if (has(name)) addresses(given[name], at + name, faults, false);
  if (has("reply_to"))
    faults.unless([given.reply_to].flat().every(isAddress), `${at}reply_to`, "has to be an address");
  if (has("template_id")) {
    const isPublished = templates.some((one) => one.id === given.template_id && one.isPublished);
    faults.unless(isPublished, `${at}template_id`, "is no published template");
  } else {
    faults.unless(has("subject"), `${at}subject`, "is missing");
    faults.unless(has("html") || has("text"), `${at}text`, "is missing, and so is html");
  }
  for (const name of ["html", "text"]) text(name);
  if (text("subject") && has("subject"))
    faults.unless([...String(given.subject)].length <= 998, `${at}subject`, "is longer than 998 characters");
  if (has("variables")) faults.unless(isRecord(given.variables), `${at}variables`, "has to be an object");
  if (has("tags")) tagFaults(given.tags, `${at}tags`, faults);
  if (has("headers")) headerFaults(given.headers, `${at}headers`, faults);
  if (inBatch) {
    for (const name of ["attachments", "scheduled_at"])
      faults.unless(!has(name), at + name, "does not go into a batch");
    return;
  }
  if (has("attachments")) attachmentFaults(given.attachments, faults);
  if (has("scheduled_at")) timeFaults(given.scheduled_at, now, faults);
}

function addresses(value: unknown, field: string, faults: Faults, needed: boolean): void {
  if (!faults.unless(Array.isArray(value), field, "has to be a list of addresses")) return;
  const list = value as unknown[];
  faults.unless(list.length <= 50, field, "has more than 50 addresses");
  faults.unless(!needed || list.length > 0, field, "names nobody");
  faults.unless(list.every(isAddress), field, "has something in it that is no address");
}

function tagFaults(tags: unknown, field: string, faults: Faults): void {
  if (!faults.unless(isRecord(tags), field, "has to be an object")) return;
  const pairs = Object.entries(tags as object);
  faults.unless(pairs.length <= 20, field, "has more than 20 pairs");
  const named = pairs.every(([name]) => /^[A-Za-z0-9_:.-]+$/.test(name));
  faults.unless(named, field, "has a name with characters that do not belong there");
  const valued = pairs.every(([, value]) => typeof value === "string" && [...value].length <= 128);
  faults.unless(valued, field, "has a value that is no text of at most 128 characters");
}

function headerFaults(headers: unknown, field: string, faults: Faults): void {
  if (!faults.unless(isRecord(headers), field, "has to be an object")) return;
  const pairs = Object.entries(headers as object);
  faults.unless(pairs.length <= 10, field, "has more than 10 headers");
  const named = pairs.every(([name]) => /^(X-[!-9;-~]*|List-Unsubscribe(-Post)?)$/i.test(name));
  faults.unless(named, field, "has a header that cannot be set");
  const valued = pairs.every(([, value]) => typeof value === "string" && !/[\r\n]/.test(value));
  faults.unless(valued, field, "has a value that is no text on one line");
}

/** Records the faults of a time to send at. */
export function timeFaults(value: unknown, now: number, faults: Faults): void {
  const isTime =
    typeof value === "string" && timeForm.test(value) && !Number.isNaN(Date.parse(value.toUpperCase()));
  if (!faults.unless(isTime, "scheduled_at", "has to be a time with its offset, in ISO 8601")) return;
  const near = Date.parse(String(value).toUpperCase()) <= now + month;
  faults.unless(near, "scheduled_at", "is more than 30 days away");
}

const inside =
  /^(localhost|.*\.localhost|.*\.local|.*\.internal|0\..*|10\..*|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\..*|127\..*|169\.254\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[(::|::1|f[cd].*|fe[89ab].*|::ffff:.*|64:ff9b:.*|2002:.*)\])\.?$/i;

/** Records the faults of the attachments of a message. */
function attachmentFaults(value: unknown, faults: Faults): void {
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
