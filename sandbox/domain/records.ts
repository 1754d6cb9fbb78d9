import type { SeedCustomField, SeedDomain, SeedList } from "../../generated/schema-types.ts";
import type { components } from "../../generated/types.ts";

/**
 * The records of the sandbox. Times are milliseconds since 1970 in UTC, by the clock of the sandbox.
 */

/** A customer of the service. Accounts come from the seed; requests never change them. */
export interface Account {
  id: string;
  name: string;
  /** The products on the account; a request for another gets 402 `no_plan`. */
  products: { email: boolean; newsletter: boolean };
  /** Recipients per calendar month (UTC). */
  monthlyQuota: number;
  /** Whether sends get 429 `send_rejected`. */
  atSendingCeiling: boolean;
}

/** An API key, without the key itself. */
export interface ApiKey {
  id: string;
  accountId: string;
  /** For people: `all abilities`, `email:send only`. */
  label: string;
  abilities: string[];
  /** The sending domain that it is restricted to; null for none. */
  domain: string | null;
  revoked: boolean;
  /** When a replaced key stops working; null for a key that was not replaced. */
  stopsAt: number | null;
}

export type SendingDomain = Required<SeedDomain>;

export interface Template {
  id: string;
  published: boolean;
  /** Texts with variables: `{{name}}`. */
  subject: string;
  html: string | null;
  text: string | null;
}

export type NewsletterList = Required<SeedList> & { accountId: string };

export type CustomField = Required<SeedCustomField>;

export type MessageStatus = components["schemas"]["MessageStatus"];

export interface MessageEvent {
  type: string;
  at: number;
  detail: string | null;
}

export type Bounce = components["schemas"]["Bounce"];

/** An attachment of a message, as in the request. */
export type Attachment = { filename: string; content_id?: string; content_type?: string } & (
  | { content: string }
  | { path: string }
);

type Schemas = components["schemas"];

/** The properties of a request to send that become something else in a message: its recipients, its time, or its content. */
type ConvertedProperty =
  | ("to" | "cc" | "bcc" | "tags" | "template_id" | "variables")
  | ("subject" | "html" | "text" | "scheduled_at" | "from");

type UnchangedProperties = Omit<Schemas["ContentSend"], ConvertedProperty> &
  Omit<Schemas["TemplateSend"], ConvertedProperty>;

/** All other properties of a request to send: a message keeps them unchanged. Null for one that was omitted. */
export type KeptProperties = {
  [Name in keyof UnchangedProperties]?: UnchangedProperties[Name] | null;
};

/** The content of a message, with its template filled in. */
export interface MessageContent extends KeptProperties {
  subject: string;
  html: string | null;
  text: string | null;
  reply_to: string | null;
  headers: Record<string, string>;
  attachments: Attachment[];
  /** Variables of its template without a value in the request; omitted if there are none. */
  missingVariables?: string[];
}

export interface Message {
  id: string;
  accountId: string;
  from: string;
  /** The recipients without the suppressed ones. */
  to: string[];
  cc: string[];
  bcc: string[];
  tags: Record<string, string>;
  content: MessageContent;
  status: MessageStatus;
  createdAt: number;
  scheduledAt: number | null;
  sentAt: number | null;
  deliveredAt: number | null;
  bouncedAt: number | null;
  complainedAt: number | null;
  bounce: Bounce | null;
  events: MessageEvent[];
  /** When its next state change is due; null when none is left. */
  dueAt: number | null;
}

export type MembershipStatus = components["schemas"]["MembershipStatus"];

/** Where an email address came from; kept on the record, never returned by the API. */
export interface Consent {
  detail: string;
  ip: string | null;
  userAgent: string | null;
  at: number;
}

export interface Membership {
  listId: number;
  status: MembershipStatus;
  subscribedAt: number | null;
  unsubscribedAt: number | null;
  consents: Consent[];
  /** Why the contact left, if known. */
  reason: string | null;
  /** The token of the confirmation email; null if none is pending. */
  confirmation: string | null;
}

export interface Contact {
  accountId: string;
  /** In lower case. */
  email: string;
  firstName: string | null;
  lastName: string | null;
  fields: Record<string, string | number>;
  tags: string[];
  /** Whether no marketing email reaches the contact at all. */
  marketingBlocked: boolean;
  /** In the order of joining. */
  memberships: Membership[];
}

/** A request in the API log of the dashboard: never a body, an attachment or a key. */
export interface LoggedRequest {
  requestId: string;
  accountId: string;
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  errorType: string | null;
  /** The names of the invalid fields. */
  fields: string[];
  at: number;
}
