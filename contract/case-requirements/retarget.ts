import { isObject, mapValues } from "../../lib/objects.ts";
import type { Fixtures } from "../engine/settings.ts";

/** The server to which the bodies of examples are adapted. */
export interface Target {
  fixtures: Fixtures;
  /** A text that is unique in this and other runs. */
  unique: string;
  /** In milliseconds since 1970. */
  now: number;
  /** Whether the case is about attachments, so that their links stay. */
  keepsLinks: boolean;
}

const emailAddress = /^(?<local>[^@\s<>]+)@(?<domain>[^@\s<>]+)$/;
export const day = 86_400_000;

/**
 * A request body with the senders, recipients, templates, lists and times of the server instead of those of the
 * examples. Intentionally invalid values stay.
 */
export function retargeted(body: unknown, target: Target): unknown {
  if (!isObject(body)) return body;
  return mapValues(body, (value, name) => {
    const change = changes[name];
    return change === undefined || value === null ? value : change(value, target);
  });
}

type Change = (value: unknown, target: Target) => unknown;

const recipients: Change = (value, target) =>
  Array.isArray(value)
    ? value.map((entry) => (typeof entry === "string" ? recipient(entry, target) : entry))
    : value;

function recipient(text: string, { fixtures }: Target): string {
  const { local } = emailAddress.exec(text)?.groups ?? {};
  if (local === undefined) return text;
  const { recipientDomain, simulatorDomain } = fixtures;
  return recipientDomain === undefined ? `success@${simulatorDomain}` : `${local}@${recipientDomain}`;
}

/** A new contact per case, because values of a contact accumulate; the part after a plus sign stays. */
function contact(text: string, { fixtures, unique }: Target): string {
  const { local } = emailAddress.exec(text)?.groups ?? {};
  if (local === undefined) return text;
  const [tag = ""] = /[+].*$/.exec(local) ?? [];
  return `contract-${unique}${tag}@${fixtures.contactDomain ?? "example.com"}`;
}

const changes: Record<string, Change> = {
  // The domain changes even after a display name, so that only the display name is invalid.
  from: (value, { fixtures }) =>
    typeof value === "string" ? value.replace(/@[^@\s<>]+(?=>?$)/, `@${fixtures.domains?.verified}`) : value,
  to: recipients,
  cc: recipients,
  bcc: recipients,
  email: (value, target) => (typeof value === "string" ? contact(value, target) : value),
  template_id: (value, { fixtures }) =>
    typeof value === "string" && value !== "" ? fixtures.template?.id : value,
  variables: (value, { fixtures }) =>
    isObject(value) && fixtures.template?.variables !== undefined
      ? { ...fixtures.template.variables }
      : value,
  list_id: (value, { fixtures }) => (Number.isInteger(value) ? fixtures.lists?.plain : value),
  scheduled_at: (value, { now }) =>
    typeof value === "string"
      ? value.replace(/^\d{4}-\d\d-\d\d/, new Date(now + 2 * day).toISOString().slice(0, 10))
      : value,
  fields: (value, { fixtures }) => (isObject(value) ? fieldsOf(value, fixtures) : value),
  attachments: (value, target) =>
    Array.isArray(value) ? value.map((entry) => attachment(entry, target)) : value,
  emails: (value, target) => (Array.isArray(value) ? value.map((entry) => retargeted(entry, target)) : value),
};

/** Custom fields of the server instead of those of the examples, by the type of the value. */
function fieldsOf(value: Record<string, unknown>, { fields = {} }: Fixtures): Record<string, unknown> {
  const renamed = Object.entries(value).map(
    ([name, inner]) => [fieldFor(inner, fields) ?? name, inner] as const,
  );
  return Object.fromEntries(renamed);
}

function fieldFor(value: unknown, fields: NonNullable<Fixtures["fields"]>): string | undefined {
  if (typeof value === "number") return fields.number;
  if (typeof value !== "string") return fields.text;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return fields.date;
  return /^https?:/.test(value) ? fields.url : fields.text;
}

function attachment(entry: unknown, { fixtures, keepsLinks }: Target): unknown {
  if (!isObject(entry) || typeof entry.path !== "string" || !entry.path.startsWith("https://")) return entry;
  if (fixtures.attachmentLink !== undefined) return { ...entry, path: fixtures.attachmentLink };
  if (keepsLinks) return entry;
  const { path: _, ...rest } = entry;
  return { ...rest, content: "JVBERi0xLjQ=" };
}
