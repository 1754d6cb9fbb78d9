import { copyOnClick } from "../scripts/copying.ts";
import { el } from "./dom.ts";
import { indented, JsonEditor } from "./json-text.ts";
import { corsNeeds, curlOf, type OwnServer, operationOf } from "./request.ts";
import type { Sending, TryData, TryOperation } from "./types.ts";

interface FormOptions {
  onSend(): void;
  /** Another operation was chosen. */
  onOperation(): void;
  /** Another server was chosen. */
  onServer(): void;
  onProblem(error: unknown): void;
}

/** The request, editable. */
export class RequestForm {
  readonly element: HTMLFormElement;
  readonly #data: TryData;
  readonly #options: FormOptions;
  readonly #editor = new JsonEditor("Request body");
  readonly #operations: HTMLSelectElement;
  readonly #set = el("div", { class: "set" });
  readonly #send = el("button", { class: "button chief", type: "submit" }, "Send");
  readonly #key: HTMLSelectElement;
  readonly #server: HTMLSelectElement;
  readonly #idempotencyKey = textInput("none");
  readonly #baseUrl = textInput();
  readonly #ownKey = el("input", { type: "password", autocomplete: "off", placeholder: "none" });
  #parameters = new Map<string, HTMLInputElement>();
  /** The selected example of the operation. */
  #example = 0;
  /** The idempotency key that the reader has not entered. */
  #givenKey = "";
  /** The requests that were sent, by their idempotency keys. */
  readonly #sent = new Map<string, string>();
  /** The values of path and query parameters, which several operations have. */
  readonly #values = new Map<string, string>();

  constructor(data: TryData, options: FormOptions) {
    this.#data = data;
    this.#options = options;
    this.#baseUrl.placeholder = data.ownUrl;
    this.#baseUrl.value = data.ownUrl;
    this.#operations = choice(data.operations.map(({ id, title }) => [id, title]));
    this.#operations.className = "operation-choice";
    this.#operations.ariaLabel = "Operation";
    this.#operations.addEventListener("change", () => {
      this.show(this.operation.id);
      options.onOperation();
    });
    this.#key = choice([...data.keys.map(({ id, label }) => [id, label] as const), ["", "No key"]]);
    this.#server = choice([
      ["", "Sandbox in this page"],
      ["own", "Your own base URL"],
    ]);
    this.#server.addEventListener("change", () => {
      this.#fillSet();
      options.onServer();
    });
    this.element = this.#form();
  }

  #form(): HTMLFormElement {
    const push = el("span", { class: "push" });
    const copy = el("button", { class: "button", type: "button" }, "Copy as curl");
    copyOnClick(copy, () => this.#curl());
    const head = el("div", { class: "panel-head" }, this.#operations, push, copy, this.#send);
    const attributes = { class: "panel request", id: "try-request" };
    const form = el("form", attributes, head, this.#set, this.#editor.element);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#isBusy) return;
      this.#renewKey();
      this.#options.onSend();
    });
    form.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
      if (key === "Enter" && (ctrlKey || metaKey)) form.requestSubmit();
    });
    return form;
  }

  get operation(): TryOperation {
    return operationOf(this.#data, this.#operations.value);
  }

  /** Undefined for the sandbox. Kept in memory only. */
  get ownServer(): OwnServer | undefined {
    if (this.#server.value === "") return undefined;
    return { baseUrl: this.#baseUrl.value.trim(), key: this.#ownKey.value };
  }

  get value(): Sending {
    const { id, idempotencyKey, examples } = this.operation;
    return {
      operation: id,
      key: this.#key.value || null,
      idempotencyKey: idempotencyKey === null ? "" : this.#idempotencyKey.value,
      parameters: Object.fromEntries([...this.#parameters].map(([name, { value }]) => [name, value])),
      body: examples.length === 0 ? null : this.#editor.value,
    };
  }

  /** A disabled button would lose the focus. */
  set busy(busy: boolean) {
    this.#send.ariaDisabled = String(busy);
  }

  get #isBusy(): boolean {
    return this.#send.ariaDisabled === "true";
  }

  #curl(): string {
    const { baseUrl } = this.ownServer ?? this.#data;
    // The key of the reader's server need not be entered here.
    const hasKey = this.ownServer !== undefined || this.#key.value !== "";
    try {
      return curlOf(baseUrl, this.operation, this.value, hasKey);
    } catch (error) {
      this.#options.onProblem(error);
      throw error;
    }
  }

  /** Shows the first example of an operation. @param given values of its parameters */
  show(id: string, given: Record<string, string> = {}): void {
    this.#operations.value = id;
    for (const [name, { value }] of this.#parameters) this.#values.set(name, value);
    this.#parameters = new Map(
      this.operation.parameters.map(({ name, example }) => {
        const input = textInput();
        input.value = given[name] ?? this.#values.get(name) ?? example;
        return [name, input];
      }),
    );
    this.#example = 0;
    this.#editor.value = indented(this.operation.examples[0]?.body ?? "");
    if (this.#idempotencyKey.value === this.#givenKey) this.#giveKey(this.operation.idempotencyKey ?? "");
    this.#fillSet();
  }

  #giveKey(key: string): void {
    this.#givenKey = key;
    this.#idempotencyKey.value = key;
  }

  /** Remembers the idempotency key of a request. */
  remember(sending: Sending): void {
    if (sending.idempotencyKey !== "") this.#sent.set(sending.idempotencyKey, contentOf(sending));
  }

  /** A changed request is a request of its own: it gets another idempotency key, unless the reader has entered one. */
  #renewKey(): void {
    const { value } = this;
    const { idempotencyKey: first } = this.operation;
    if (first && value.idempotencyKey === this.#givenKey) {
      const content = contentOf(value);
      const isOfOther = (key: string): boolean => (this.#sent.get(key) ?? content) !== content;
      let key = this.#givenKey;
      for (let number = 2; isOfOther(key); number += 1) key = `${first}-${number}`;
      this.#giveKey(key);
    }
    this.remember(this.value);
  }

  /** Shows a request that was sent. */
  fill(sending: Sending): void {
    this.show(sending.operation, sending.parameters);
    this.#key.value = sending.key ?? "";
    this.#giveKey(sending.idempotencyKey);
    if (sending.body !== null) this.#editor.value = sending.body;
  }

  /** The id in a response is the path parameter of the next request. */
  set lastId(id: string) {
    this.#values.set("id", id);
    const input = this.#parameters.get("id");
    if (input !== undefined) input.value = id;
  }

  /** The examples of the operation, and one that is rejected. */
  get #examples(): TryOperation["examples"] {
    const { examples } = this.operation;
    const [first] = examples;
    if (first === undefined || !hasRecipients(first.body)) return examples;
    const body = JSON.stringify({ ...JSON.parse(first.body), to: [] });
    return [...examples, { title: "No recipient: rejected with 422", body }];
  }

  #fillSet(): void {
    const { method, path, idempotencyKey } = this.operation;
    const examples = this.#examples;
    const own = this.#server.value !== "";
    const recipient = this.#recipientChoice();
    const example = el(
      "select",
      {
        onchange: () => {
          this.#example = example.selectedIndex;
          this.#editor.value = indented(examples[this.#example]?.body ?? "");
          recipient.selectedIndex = 0;
        },
      },
      ...examples.map(({ title }) => el("option", {}, title)),
    );
    example.selectedIndex = this.#example;
    const endpoint = el("output", {}, `${method} ${path}`);
    this.#set.replaceChildren(
      row("Endpoint", endpoint),
      row("Server", this.#server),
      ...(own ? [row("Base URL", this.#baseUrl), row("API key", this.#ownKey)] : [row("API key", this.#key)]),
      ...this.operation.parameters.map(({ name }) => row(name, this.#parameters.get(name) ?? textInput())),
      ...(idempotencyKey === null ? [] : [row("Idempotency-Key", this.#idempotencyKey)]),
      ...(examples.length > 1 ? [row("Example", example)] : []),
      ...(examples.some(({ body }) => hasRecipients(body)) ? [row("Recipient", recipient)] : []),
      ...(own ? [el("p", { class: "warning" }, ownWarning), corsHint(method)] : []),
    );
    this.#editor.element.hidden = examples.length === 0;
  }

  /** Sends the message to a simulated recipient instead of those in its body. */
  #recipientChoice(): HTMLSelectElement {
    const { recipients } = this.#data;
    const select = choice([
      ["", "As in the body"],
      ...recipients.map(({ email }) => [email, email] as const),
    ]);
    select.addEventListener("change", () => {
      const text = this.#editor.value;
      if (select.value === "" || !hasRecipients(text)) return;
      const { cc: _, bcc: __, ...message } = JSON.parse(text);
      this.#editor.value = indented(JSON.stringify({ ...message, to: [select.value] }));
    });
    return select;
  }
}

/** What a request with the same idempotency key must repeat. */
const contentOf = ({ operation, parameters, body }: Sending): string =>
  JSON.stringify([operation, parameters, body]);

/** Whether it is JSON of one message. */
function hasRecipients(body: string): boolean {
  try {
    return Array.isArray(JSON.parse(body)?.to);
  } catch {
    return false;
  }
}

const ownWarning =
  "Requests go to this server and have real effects. The key stays in the memory of this tab; use one for testing.";

const corsHint = (method: string): HTMLElement =>
  el(
    "details",
    { class: "cors fold" },
    el("summary", {}, "The server must allow requests from this page (CORS)"),
    el("p", {}, corsNeeds(method)),
  );

const textInput = (placeholder = ""): HTMLInputElement =>
  el("input", { spellcheck: "false", autocomplete: "off", placeholder });

const choice = (options: readonly (readonly [value: string, text: string])[]): HTMLSelectElement =>
  el("select", {}, ...options.map(([value, text]) => el("option", { value }, text)));

/** A name in front of a control. The text of a select would be a part of a label around it. */
function row(name: string, control: HTMLElement): HTMLElement {
  control.id = `try-field-${name.toLowerCase().replaceAll(" ", "-")}`;
  return el("div", {}, el("label", { for: control.id }, name), control);
}
