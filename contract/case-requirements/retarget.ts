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

/** Other values stay as they are, like those of a wrong type below. */
const ofText =
  (change: (text: string, target: Target) => unknown): Change =>
  (value, target) =>
    typeof value === "string" ? change(value, target) : value;

const ofEntries =
  (change: Change): Change =>
  (value, target) =>
    Array.isArray(value) ? value.map((entry) => change(entry, target)) : value;

/** Changes an email address by its local part. */
const ofAddress = (change: (local: string, target: Target) => string): Change =>
  ofText((text, target) => {
    const [, local] = /^([^@\s<>]+)@[^@\s<>]+$/.exec(text) ?? [];
    return local === undefined ? text : change(local, target);
  });

const recipients = ofEntries(
  ofAddress((local, { fixtures: { recipientDomain, simulatorDomain } }) =>
    recipientDomain === undefined ? `success@${simulatorDomain}` : `${local}@${recipientDomain}`,
  ),
);

const changes: Record<string, Change> = {
  // The domain changes even beside a display name, so that only the display name is invalid.
  from: ofText((text, { fixtures }) => text.replace(/@[^@\s<>]+/, `@${fixtures.domains?.verified}`)),
  to: recipients,
  cc: recipients,
  bcc: recipients,
  // A new contact per case, because values of a contact accumulate; the part after a plus sign stays.
  email: ofAddress(
    (local, { fixtures, unique }) =>
      `contract-${unique}${/[+].*$/.exec(local)?.[0] ?? ""}@${fixtures.contactDomain ?? "example.com"}`,
  ),
  template_id: ofText((text, { fixtures }) => text && fixtures.template?.id),
  variables: (value, { fixtures }) =>
    isObject(value) && fixtures.template?.variables !== undefined
      ? { ...fixtures.template.variables }
      : value,
  list_id: (value, { fixtures }) => (Number.isInteger(value) ? fixtures.lists?.plain : value),
  scheduled_at: ofText((text, { now }) =>
    text.replace(/^\d{4}-\d\d-\d\d/, new Date(now + 2 * day).toISOString().slice(0, 10)),
  ),
  fields: (value, { fixtures }) => (isObject(value) ? fieldsOf(value, fixtures) : value),
  attachments: ofEntries(attachment),
  emails: ofEntries(retargeted),
};

/** Custom fields of the server instead of those of the examples, by the type of the value. */
const fieldsOf = (value: Record<string, unknown>, { fields = {} }: Fixtures) =>
  Object.fromEntries(Object.entries(value).map(([name, inner]) => [fieldFor(inner, fields) ?? name, inner]));

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
