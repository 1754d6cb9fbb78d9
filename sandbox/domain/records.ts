import type { RelayState } from "./relay.ts";

/**
 * What the sandbox knows. Times are milliseconds since 1970 in UTC, by the sandbox's own clock; addresses are in
 * lower case where they are compared.
 */

/** A customer of the service. Seeds describe accounts; calls never change them. */
export interface Account {
  id: string;
  name: string;
  /** The products on the account; a call for another gives 402 `no_plan`. */
  products: { email: boolean; newsletter: boolean };
  /** Recipients that may be written to in a calendar month (UTC). */
  monthlyQuota: number;
  /** Whether sends are answered 429 `send_rejected` until this is lifted. */
  atSendingCeiling: boolean;
}

/** An API key. The key itself is never kept, only its hash. */
export interface ApiKey {
  id: string;
  accountId: string;
  /** What it is for, in words: `all abilities`, `send only`. */
  label: string;
  abilities: string[];
  /** The one sending domain that it is restricted to; null when it is not. */
  domain: string | null;
  revoked: boolean;
  /** When a replaced key stops working; null for one that was not replaced. */
  stopsAt: number | null;
}

export interface SendingDomain {
  accountId: string;
  name: string;
  state: "verified" | "unverified" | "stopped";
}

export interface Template {
  accountId: string;
  id: string;
  published: boolean;
  /** Texts in which `{{name}}` stands for the variable of that name. */
  subject: string;
  html: string | null;
  text: string | null;
}

export interface NewsletterList {
  accountId: string;
  id: number;
  name: string;
  doubleOptIn: boolean;
}

export interface CustomField {
  accountId: string;
  key: string;
  label: string;
  type: "text" | "number" | "date" | "url";
  fallback: string | null;
}

export type MessageStatus =
  | "scheduled"
  | "queued"
  | "sent"
  | "delivered"
  | "delayed"
  | "bounced"
  | "complained"
  | "rejected"
  | "failed"
  | "canceled";

export interface MessageEvent {
  type: string;
  at: number;
  detail: string | null;
}

export interface Bounce {
  type: string;
  subtype: string;
  permanent: boolean;
  summary: string;
  what_to_do: string;
  diagnostic: string;
}

/** A file that goes with a message, as the request gave it. */
export type Attachment = { filename: string; content_id?: string; content_type?: string } & (
  | { content: string }
  | { path: string }
);

/** What a message says, templates already filled in. */
export interface MessageContent {
  subject: string;
  html: string | null;
  text: string | null;
  reply_to: string | null;
  headers: Record<string, string>;
  attachments: Attachment[];
  /** Variables of its template that the call gave no value for; left out when there are none. */
  missingVariables?: string[];
}

export interface Message {
  id: string;
  accountId: string;
  from: string;
  /** The recipients that are written to: those left out are gone from all three. */
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
  /** When its next state change or relay attempt is due; null when none is left. */
  dueAt: number | null;
  /** Missing until the message is claimed for the SMTP server. */
  relay?: RelayState | undefined;
}

export type MembershipStatus = "pending" | "subscribed" | "unsubscribed" | "cleaned" | "complained";

/** Where an address came from; kept on the record, never shown by the API. */
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
  /** Why the contact left, where it said so. */
  reason: string | null;
  /** Names the confirmation that the contact was sent; null when none is open. */
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
  /** Whether no marketing e-mail reaches it at all. */
  marketingBlocked: boolean;
  /** In the order in which it joined. */
  memberships: Membership[];
}

/** One call, as the dashboard's API log would show it: never a body, an attachment or a key. */
export interface LoggedRequest {
  requestId: string;
  accountId: string;
  method: string;
  /** The address called, without its query. */
  path: string;
  status: number;
  errorType: string | null;
  /** Names of the fields that were not accepted. */
  fields: string[];
  at: number;
}
