import { copied, sayBriefly } from "../scripts/copying.ts";
import { ControlsView } from "./controls-view.ts";
import { closeButton, el, panelBar, panelTabs, state } from "./dom.ts";
import { OutboxView } from "./outbox-view.ts";
import { operationOf, sendToOwn } from "./request.ts";
import { RequestForm } from "./request-form.ts";
import { ResponseView, unsent, validate } from "./response-view.ts";
import { readScenario, save, savedScenario, writeScenario } from "./scenario.ts";
import { type Action, Session } from "./session.ts";
import type { Scenario, Step, TryData, TryResponse } from "./types.ts";

/** What the button gives the panel. */
export interface PanelOptions {
  operation: string;
  /** The scenario of the URL that was opened. */
  code?: string | undefined;
  /** The request that the page shows, if that is not the first example. */
  shown?: { body: string; idempotencyKey: string } | undefined;
  onClose(): void;
}

const script = new URL("sandbox.js", import.meta.url);

/** How often the outbox and the clock are read, in milliseconds. */
const interval = 1_000;

/** The panel "Sandbox": a request, its response, and what happens in the sandbox. */
class TryPanel extends HTMLElement {
  #data!: TryData;
  #session: Session | undefined;
  /** Resolves when the steps of a link or of an earlier page are done: what the reader does comes after them. */
  #replayed: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setInterval> | undefined;
  #onClose = (): void => {};
  readonly #status = el("span", { role: "status" });
  readonly #response = new ResponseView();
  #form!: RequestForm;
  readonly #outbox = new OutboxView({
    message: async (id) => this.#started().message(id),
    attachments: (id) => this.#started().attachments(id),
    isUnspecified: (email) => this.#data.recipients.some((one) => one.email === email && one.isUnspecified),
    confirm: (email, list) => void this.#act({ do: "confirm", email, list }),
  });
  readonly #controls = new ControlsView({
    advance: (by) => void this.#act({ do: "advance", by }),
    fail: (failure, requests) => void this.#act({ do: "fail", failure, requests }),
    clear: () => void this.#act({ do: "clear failures" }),
  });

  async open(options: PanelOptions): Promise<void> {
    const response = await fetch(new URL("data.json", import.meta.url));
    this.#data = await response.json();
    const { code, operation, shown, onClose } = options;
    if (shown !== undefined) {
      const { body, idempotencyKey } = shown;
      const of = operationOf(this.#data, operation);
      of.examples.unshift({ title: "The request of this page", body });
      of.idempotencyKey = idempotencyKey;
    }
    this.#form = new RequestForm(this.#data, {
      onSend: () => void this.#send(),
      onOperation: () => this.#response.clear(unsent),
      onServer: () => {
        // It is of the other server.
        this.#response.clear(unsent);
        this.#showServer();
      },
      onProblem: (error) => this.#showProblem(error),
    });
    this.#form.show(operation);
    this.#onClose = onClose;
    this.#render();
    if (code === undefined) return this.#start(savedScenario(this.#data), false);
    const scenario = await readScenario(code, this.#data);
    // Reset was faster.
    if (this.#session !== undefined) return;
    await this.#start(scenario);
    if (scenario === undefined)
      this.#response.clear("This link has no valid scenario: the sandbox starts without it.");
  }

  readonly #closeOnEscape = ({ key, target, isComposing }: KeyboardEvent): void => {
    // A focused control that disappears leaves the focus to the page.
    const isOfPage = target === document.body && document.querySelector(":popover-open") === null;
    const isHere = isOfPage || this.contains(target as Node);
    if (key === "Escape" && isHere && !isComposing) this.#onClose();
  };

  /** Reads what has changed while the panel was closed. */
  connectedCallback(): void {
    document.addEventListener("keydown", this.#closeOnEscape);
    let isRefreshing = false;
    // On a slow machine one takes longer than the interval: those that wait would delay what the reader does more and more.
    this.#timer = setInterval(async () => {
      if (document.hidden || isRefreshing) return;
      isRefreshing = true;
      await this.#refresh();
      isRefreshing = false;
    }, interval);
  }

  disconnectedCallback(): void {
    document.removeEventListener("keydown", this.#closeOnEscape);
    clearInterval(this.#timer);
  }

  #render(): void {
    const link = el("button", { class: "button", type: "button" }, "Copy link");
    link.title = "A link that does the same steps again";
    link.addEventListener("click", () => void this.#copyLink(link));
    const reset = { class: "button", type: "button", onclick: () => void this.#reset() };
    this.className = "bench";
    this.id = "sandbox";
    this.role = "region";
    this.ariaLabel = "Sandbox";
    this.replaceChildren(
      panelBar(this.#status, [link, el("button", reset, "Reset"), closeButton(this.#onClose)]),
      panelTabs(),
      el("div", { class: "bench-top" }, this.#form.element, this.#response.element),
      el("div", { class: "bench-low" }, this.#outbox.element, this.#controls.element),
    );
  }

  /** @param shown whether the requests of the scenario are shown while they are sent */
  async #start(scenario?: Scenario, shown = true): Promise<void> {
    this.#status.replaceChildren(state("wait", "starting"));
    this.#outbox.clear();
    const session = new Session(this.#data, script, scenario?.start);
    this.#session = session;
    const replayed = Promise.withResolvers<void>();
    this.#replayed = replayed.promise;
    try {
      await this.#begin(session, scenario?.steps ?? [], shown);
    } finally {
      replayed.resolve();
    }
  }

  async #begin(session: Session, steps: readonly Step[], shown: boolean): Promise<void> {
    try {
      await session.opened;
    } catch (error) {
      if (session !== this.#session) return;
      this.#status.replaceChildren(state("bad", "not available"));
      this.#response.clear(messageOf(error));
      return;
    }
    await this.#refresh();
    await this.#replay(session, steps, shown);
    session.isReplaying = false;
    if (session !== this.#session) return;
    await this.#refresh();
    save(session.scenario);
    this.#showServer();
  }

  /** Does the steps in the sandbox of this session. Reset starts another one, which gets none of them. */
  async #replay(session: Session, steps: readonly Step[], shown: boolean): Promise<void> {
    for (const step of steps) {
      if (step.do === "send") this.#form.remember(step);
      if (shown && step.do === "send") this.#form.fill(step);
      const response = await session.replay(step).catch((error: unknown) => {
        if (shown && session === this.#session) this.#response.clear(messageOf(error));
      });
      if (session !== this.#session) return;
      if (!response || step.do !== "send") continue;
      if (shown) this.#show(step.operation, response);
      else this.#keepId(response);
    }
  }

  async #reset(): Promise<void> {
    this.#session?.stop();
    this.#response.clear("The sandbox is in its state after the start.");
    if (location.hash.startsWith("#try="))
      history.replaceState(null, "", location.pathname + location.search);
    await this.#start();
  }

  async #refresh(): Promise<void> {
    const session = this.#session;
    const now = await session?.state().catch(() => undefined);
    if (now === undefined || session !== this.#session) return;
    this.#outbox.show(now);
    this.#controls.show(now);
  }

  /** @throws Error before the scenario of a link is read */
  #started(): Session {
    if (this.#session === undefined) throw new Error(starting);
    return this.#session;
  }

  /** @returns undefined if there is nothing to show, such as after a reset */
  async #act(action: Action): Promise<TryResponse | undefined> {
    const session = this.#session;
    await this.#replayed;
    // A reset ended the replay.
    if (session !== this.#session) return undefined;
    let response: TryResponse | undefined;
    try {
      response = await this.#started().act(action);
    } catch (error) {
      if (session === this.#session) this.#response.clear(messageOf(error));
    }
    if (session !== undefined && session === this.#session) save(session.scenario);
    await this.#refresh();
    // The reset may have come in the meantime.
    return session === this.#session ? response : undefined;
  }

  async #send(): Promise<void> {
    this.#form.busy = true;
    this.#response.clear("Waiting for the response.");
    try {
      const { value, ownServer } = this.#form;
      const response =
        ownServer === undefined
          ? await this.#act({ do: "send", ...value })
          : await sendToOwn(ownServer, operationOf(this.#data, value.operation), value);
      if (response !== undefined) this.#show(value.operation, response);
    } catch (error) {
      this.#showProblem(error);
    } finally {
      this.#form.busy = false;
    }
    // In one column, the response is below the request.
    if (matchMedia("(max-width: 47.99rem)").matches) this.#response.element.scrollIntoView();
  }

  #show(operation: string, response: TryResponse): void {
    const hasHeaders = this.#form.ownServer === undefined;
    const checked = response.status === 0 ? undefined : validate(operation, response, hasHeaders);
    this.#response.show(response, checked, errorLink(response, this.#data));
    this.#keepId(response);
  }

  #showProblem(error: unknown): void {
    this.#response.show({ status: 0, headers: [], body: "", milliseconds: 0, problem: messageOf(error) });
  }

  /** The id of a message, the only one that is a string, is the path parameter of the next request. */
  #keepId({ body }: TryResponse): void {
    const [, id] = /"id":\s*"([^"\\]{1,256})"/.exec(body) ?? [];
    if (id !== undefined) this.#form.lastId = id;
  }

  /** The sandbox is not used while requests go to another server. */
  #showServer(): void {
    const own = this.#form.ownServer !== undefined;
    this.#status.replaceChildren(own ? state("info", "not used") : state("good", "running"));
    this.classList.toggle("own-server", own);
  }

  /** The URL of the page becomes the link too: not every page may use the clipboard. */
  async #copyLink(button: HTMLElement): Promise<void> {
    if (this.#session === undefined) return this.#response.clear(starting);
    const { scenario } = this.#session;
    const code = await writeScenario(scenario);
    // What a link must not have is decided where one is read.
    if ((await readScenario(code, this.#data)) === undefined) {
      this.#response.clear(
        "A link cannot hold these steps. Reset the sandbox, and do fewer or smaller ones.",
      );
      return;
    }
    history.replaceState(null, "", `#try=${code}`);
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    sayBriefly(button, isCopied ? copied : "Now in the URL");
  }
}

/** A link to what the service says of an error, if the page of errors has it. */
function errorLink({ status, body }: TryResponse, { errors }: TryData): HTMLElement | undefined {
  const [, type = ""] = /"type":\s*"(\w{1,50})"/.exec(body) ?? [];
  const id = [`${status}.${type}`, String(status)].find((one) => errors.includes(one));
  if (id === undefined) return undefined;
  const { href } = new URL(`../errors/#${id.replaceAll(".", "-")}`, import.meta.url);
  return el("a", { href }, `What ${id.replace(".", " ")} means`);
}

const starting = "The sandbox is starting. Try again in a moment.";

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

customElements.define("try-panel", TryPanel);

/** Creates the panel. It starts when it is opened. */
export const createPanel = (): TryPanel => document.createElement("try-panel") as TryPanel;
