import { el, state } from "./dom.ts";
import { htmlPreview, type SentAttachment } from "./html-preview.ts";
import type { OutboxMessage, SandboxState } from "./session.ts";

/** What the outbox asks for. */
interface OutboxOptions {
  /** A message with its content and events. */
  message(id: string): Promise<Record<string, unknown>>;
  /** The attachments of the request that sent it. */
  attachments(id: string): readonly SentAttachment[];
  /** Whether the final status of messages to a recipient is unspecified. */
  isUnspecified(email: string): boolean;
  /** Confirms a membership, like the link in the message. */
  confirm(email: string, list: number): void;
}

const kinds: Record<string, "good" | "bad" | "wait" | "info"> = {
  delivered: "good",
  scheduled: "wait",
  canceled: "info",
  bounced: "bad",
  complained: "bad",
  failed: "bad",
};

/** The messages of the sandbox, the newest first. A message that was opened stays open while the list changes. */
export class OutboxView {
  readonly element: HTMLElement;
  readonly #count = el("span", { class: "soft" });
  readonly #list = el("ul", { class: "outbox" });
  readonly #options: OutboxOptions;
  #shown = "";
  #known = new Set<string>();

  constructor(options: OutboxOptions) {
    this.#options = options;
    const heading = el("h3", { id: "try-outbox-title" }, "Outbox");
    const attributes = { id: "try-outbox", "aria-labelledby": "try-outbox-title", tabindex: "0" };
    this.element = el(
      "section",
      attributes,
      el("div", { class: "low-head" }, heading, this.#count),
      this.#list,
    );
  }

  /** Forgets which messages are new, and closes those that are open: after a reset, other messages have their ids. */
  clear(): void {
    this.#shown = "";
    this.#known = new Set();
    for (const details of this.#list.querySelectorAll("details")) details.open = false;
  }

  show({ messages: sent, seeded, now }: Pick<SandboxState, "messages" | "seeded" | "now">): void {
    const messages = [...sent, ...seeded];
    const text = JSON.stringify(messages);
    if (text === this.#shown) return;
    const fresh = messages.filter(({ id }) => this.#shown !== "" && !this.#known.has(id));
    this.#shown = text;
    this.#known = new Set(messages.map(({ id }) => id));
    this.#count.textContent = `${messages.length} ${messages.length === 1 ? "message" : "messages"}`;
    const focused = document.activeElement?.closest("li")?.dataset.id;
    this.#list.replaceChildren(
      ...(sent.length === 0 ? [el("li", { class: "note" }, nothingSent(seeded))] : []),
      ...messages.map((message) => this.#item(message, now, fresh.includes(message))),
    );
    if (focused !== undefined)
      this.#list.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"] summary`)?.focus();
  }

  #item(message: OutboxMessage, now: string, fresh: boolean): HTMLElement {
    const { id, subject, status } = message;
    const summary = el(
      "summary",
      { class: fresh ? "fresh" : undefined },
      el("strong", {}, subject === "" ? "(no subject)" : subject),
      state(kinds[status] ?? "info", status),
      el("span", {}, recipients(message) + this.#note(message)),
      el("span", { class: "when" }, shortTime(message.scheduled_at ?? message.created_at, now)),
    );
    // One that was opened just now, too: the event of it comes later.
    const opened = this.#list.querySelector(`[data-id="${CSS.escape(id)}"] [open] > .message`);
    const content = opened ?? el("div", { class: "message" });
    const details = el("details", { open: opened !== null }, summary, content);
    details.addEventListener("toggle", () => {
      if (details.open) void this.#fill(id, content);
    });
    const item = el("li", {}, details);
    item.dataset.id = id;
    return item;
  }

  #note({ to, cc, bcc }: OutboxMessage): string {
    const isOpen = [...to, ...cc, ...bcc].some((email) => this.#options.isUnspecified(email));
    return isOpen ? ": final status unspecified" : "";
  }

  async #fill(id: string, content: Element): Promise<void> {
    try {
      content.replaceChildren(...this.#parts(await this.#options.message(id)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      content.replaceChildren(el("p", { class: "note" }, `The message could not be read: ${reason}`));
    }
  }

  #parts(message: Record<string, unknown>): HTMLElement[] {
    const { html } = message;
    const [text = "", link] = String(message.text ?? "").split(confirmationLink);
    const pairs = ["id", "from", "to", "cc", "bcc", "reply_to"].flatMap((name) => pair(name, message[name]));
    const events = (message.events as { type: string; at: string }[]).flatMap(({ type, at }) => [
      el("dt", {}, type),
      el("dd", {}, timeText(at)),
    ]);
    const label = { tabindex: "0", role: "group", "aria-label": "Text of the message" };
    // Beside its HTML, the text of a message needs a name.
    const heading = typeof html === "string" ? [el("h4", {}, "Text")] : [];
    return [
      ...(typeof html === "string" ? [htmlPreview(html, this.#options.attachments(String(message.id)))] : []),
      ...(text === "" ? [] : [...heading, el("pre", label, text.slice(0, 20_000).trimEnd())]),
      ...this.#confirmButton(link),
      el("dl", { class: "pairs" }, ...pairs, ...events),
    ];
  }

  /** Does what the link in a confirmation email does. */
  #confirmButton(query?: string): HTMLElement[] {
    if (query === undefined) return [];
    const values = new URLSearchParams(query);
    const confirm = (): void =>
      this.#options.confirm(values.get("email") ?? "", Number(values.get("list_id")));
    const button = el("button", { class: "button", type: "button", onclick: confirm }, "Follow the link");
    return [el("p", {}, button)];
  }
}

/** The link of a confirmation email. It leads nowhere in this page, nor do the other ways to confirm, which follow it. */
const confirmationLink = /^https?:\/\/\S+?\/confirm\?(\S+)/m;

const nothingSent = ({ length }: OutboxMessage[]): string =>
  `Nothing was sent yet.${length === 0 ? "" : " The demo accounts start with:"}`;

function pair(name: string, value: unknown): HTMLElement[] {
  const text = Array.isArray(value) ? value.join(", ") : (value ?? "");
  return text === "" ? [] : [el("dt", {}, name), el("dd", {}, String(text))];
}

function recipients({ to, cc, bcc }: OutboxMessage): string {
  const [first = "", ...others] = [...to, ...cc, ...bcc];
  return `To ${first}${others.length > 0 ? ` and ${others.length} more` : ""}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A time in UTC: `2027-01-31 09:00:00`. */
export const timeText = (iso: string): string => iso.slice(0, 19).replace("T", " ");

/** The time of today, or the day. */
function shortTime(iso: string, now: string): string {
  if (iso.slice(0, 10) === now.slice(0, 10)) return iso.slice(11, 19);
  return `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]} ${iso.slice(11, 16)}`;
}
