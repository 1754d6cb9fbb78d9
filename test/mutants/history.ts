import { roles, rolesOfMainAccount } from "../../contract/engine/settings.ts";
import {
  idOf,
  isBatch,
  isCancel,
  isReschedule,
  isScheduled,
  isSend,
  messagesIn,
  stateful,
  timeOf,
} from "./email.ts";
import type { Mutant, MutantRequest, MutantResponse, Next, RequirementId, SandboxContext } from "./mutant.ts";
import { emailOf, isSuccess, isUnsubscribe, isUpsert, type Json, objectOf } from "./newsletter.ts";
import { isReplay } from "./same-key.ts";

/** A message and what was asked of it since. */
export interface Message {
  kind: "send" | "scheduled" | "batch";
  /** In its batch, from zero. */
  position: number;
  /** The number of messages in its batch. */
  size: number;
  sent: Json;
  /** Its first and its later times, in milliseconds since 1970. */
  times: number[];
  canceled: boolean;
  /** The Authorization header of the last change. */
  changedBy: string;
}

/** A contact on one list. */
export interface Member {
  posts: number;
  /** The first response about it. */
  joined: Json;
  left: boolean;
}

export interface Contact {
  lists: Map<unknown, Member>;
  leftAll: boolean;
  unsubscribes: number;
  /** The Authorization header of the last change. */
  changedBy: string;
}

/** What was sent with one idempotency key. */
export interface Keyed {
  request: MutantRequest;
  response: MutantResponse;
  replays: number;
  conflicts: number;
}

export const authorizationOf = ({ headers }: MutantRequest): string => headers.authorization ?? "";
export const iso = (time: number): string => new Date(time).toISOString();
const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A lookup at the path of a request, or at another one. */
export const lookupAt = ({ text: _, ...request }: MutantRequest, path = request.path): MutantRequest => ({
  ...request,
  ...{ method: "GET", path, body: undefined },
});

/** The requests of a run so far. */
class History {
  readonly messages = new Map<string, Message>();
  /** What a mutant remembers in addition. */
  readonly marks = new Set<string>();
  readonly #contacts = new Map<string, Contact>();
  readonly #keys = new Map<string, Keyed>();
  readonly #others: Set<string>;

  constructor({ bearer }: SandboxContext) {
    this.#others = new Set(roles.filter((role) => !rolesOfMainAccount.includes(role)).map(bearer));
  }

  /** The keys of the first account have one name, each other key its own. */
  accountOf(request: MutantRequest): string {
    const authorization = authorizationOf(request);
    return this.#others.has(authorization) ? authorization : "first";
  }

  messageOf(request: MutantRequest): Message | undefined {
    return this.messages.get(idOf(request));
  }

  contactOf(request: MutantRequest): Contact | undefined {
    return this.#contacts.get(this.#contactKey(request));
  }

  memberOf(request: MutantRequest): Member | undefined {
    return this.contactOf(request)?.lists.get(objectOf(request.body).list_id);
  }

  keyedOf({ headers }: MutantRequest): Keyed | undefined {
    return this.#keys.get(`${headers.authorization} ${headers["idempotency-key"]}`);
  }

  note(request: MutantRequest, response: MutantResponse): void {
    this.#noteKey(request, response);
    if (!isSuccess(response) || isReplay(response)) return;
    this.#noteMessages(request, response);
    if (isUpsert(request)) this.#notePost(request, response);
    if (isUnsubscribe(request)) this.#noteUnsubscribe(request);
  }

  #contactKey(request: MutantRequest): string {
    return `${this.accountOf(request)} ${emailOf(request)}`;
  }

  #noteKey(request: MutantRequest, response: MutantResponse): void {
    const { "idempotency-key": key, authorization } = request.headers;
    if (key === undefined || !(isSend(request) || isBatch(request) || isUpsert(request))) return;
    const known = this.keyedOf(request);
    if (isReplay(response) && known) known.replays += 1;
    else if (response.status === 409 && known) known.conflicts += 1;
    else if (isSuccess(response))
      this.#keys.set(`${authorization} ${key}`, { request, response, replays: 0, conflicts: 0 });
  }

  #noteMessages(request: MutantRequest, { body }: MutantResponse): void {
    const changedBy = authorizationOf(request);
    const add = (id: unknown, kind: Message["kind"], sent: Json, position = 0, size = 1) =>
      this.messages.set(String(id), {
        ...{ kind, sent, position, size, changedBy },
        times: [timeOf(sent.scheduled_at)],
        canceled: false,
      });
    if (isSend(request))
      add(objectOf(body).id, isScheduled(request) ? "scheduled" : "send", objectOf(request.body));
    const entries = isBatch(request) ? (objectOf(body).data as Json[]) : [];
    for (const [index, message] of messagesIn(request.body).entries())
      add(entries[index]?.id, "batch", message, index, entries.length);
    const message = this.messageOf(request);
    if (isReschedule(request)) message?.times.push(timeOf(objectOf(request.body).scheduled_at));
    if (isCancel(request) && message) message.canceled = true;
    if (message && request.method !== "GET") message.changedBy = changedBy;
  }

  #notePost(request: MutantRequest, { body }: MutantResponse): void {
    const fresh = { lists: new Map(), leftAll: false, unsubscribes: 0, changedBy: "" };
    const contact = this.contactOf(request) ?? fresh;
    this.#contacts.set(this.#contactKey(request), contact);
    const { list_id: list } = objectOf(request.body);
    const member = contact.lists.get(list) ?? { posts: 0, joined: objectOf(body), left: false };
    contact.lists.set(list, { ...member, posts: member.posts + 1 });
    contact.changedBy = authorizationOf(request);
  }

  #noteUnsubscribe(request: MutantRequest): void {
    const contact = this.contactOf(request);
    if (contact === undefined) return;
    const { list_id: list } = objectOf(request.body);
    contact.unsubscribes += 1;
    contact.changedBy = authorizationOf(request);
    if (list === undefined) contact.leftAll = true;
    for (const [id, member] of contact.lists) if (list === undefined || id === list) member.left = true;
  }
}

export interface Past {
  history: History;
  context: SandboxContext;
}

/** A mutant that knows the requests so far; in `intercept`, they include the current one once `next` is done. */
export const withPast = (
  requirement: RequirementId,
  title: string,
  intercept: (request: MutantRequest, next: Next, past: Past) => Promise<MutantResponse> | MutantResponse,
): Mutant =>
  stateful(requirement, title, (context) => {
    const history = new History(context);
    const noted =
      (next: Next): Next =>
      async (request) => {
        const response = await next(request);
        history.note(request, response);
        return response;
      };
    return (request, next) => intercept(request, noted(next), { history, context });
  });
