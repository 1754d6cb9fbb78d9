import { ControlsView } from "./controls-view.ts";
import { el, icon, state } from "./dom.ts";
import { OutboxView } from "./outbox-view.ts";
import { operationOf, requestOf, sendTo } from "./request.ts";
import { RequestForm } from "./request-form.ts";
import { ResponseView } from "./response-view.ts";
import { save, savedScenario } from "./saved.ts";
import { isSharable, readScenario, writeScenario } from "./scenario.ts";
import { type Action, Session } from "./session.ts";
import type { Scenario, TryData, TryResponse } from "./types.ts";
import { validate } from "./validate.ts";

/** What the button gives the panel. */
export interface PanelOptions {
  operation: string;
  /** The scenario of the URL that was opened. */
  code?: string | undefined;
  onClose(): void;
}

const script = new URL("sandbox.js", import.meta.url);

/** How often the outbox and the clock are read, in milliseconds. */
const interval = 1_000;

/** The panel "Sandbox": a request, its response, and what happens in the sandbox. */
class TryPanel extends HTMLElement {
  #data!: TryData;
  #session!: Session;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #status = el("span", { role: "status" });
  readonly #response = new ResponseView();
  #form!: RequestForm;
  readonly #outbox = new OutboxView({
    message: (id) => this.#session.message(id),
    confirm: (email, list) => void this.#act({ do: "confirm", email, list }),
  });
  readonly #controls = new ControlsView({
    advance: (by) => void this.#act({ do: "advance", by }),
    fail: (failure, requests) => void this.#act({ do: "fail", failure, requests }),
  });

  async open(options: PanelOptions): Promise<void> {
    const response = await fetch(new URL("data.json", import.meta.url));
    this.#data = await response.json();
    this.#form = new RequestForm(
      this.#data,
      () => void this.#send(),
      () => this.#showServer(),
    );
    this.#form.show(options.operation);
    this.#render(options);
    const { code } = options;
    if (code === undefined) return this.#start(savedScenario(this.#data), false);
    const scenario = await readScenario(code, this.#data);
    await this.#start(scenario);
    if (scenario === undefined)
      this.#response.clear("This link has no valid scenario: the sandbox starts without it.");
  }

  /** Reads what has changed while the panel was closed. */
  connectedCallback(): void {
    this.#timer = setInterval(() => {
      if (!document.hidden) void this.#refresh();
    }, interval);
  }

  disconnectedCallback(): void {
    clearInterval(this.#timer);
  }

  #render({ onClose }: PanelOptions): void {
    const close = el(
      "button",
      { class: "tool", type: "button", "aria-label": "Close the sandbox" },
      icon("close"),
    );
    close.addEventListener("click", onClose);
    const link = el("button", { class: "button", type: "button" }, "Copy link");
    link.title = "A link that does the same steps again";
    link.addEventListener("click", () => void this.#copyLink(link));
    const reset = el(
      "button",
      { class: "button", type: "button", onclick: () => void this.#reset() },
      "Reset",
    );
    this.className = "bench";
    this.id = "sandbox";
    this.role = "region";
    this.ariaLabel = "Sandbox";
    this.replaceChildren(
      el(
        "div",
        { class: "bench-bar" },
        el("h2", { tabindex: "-1" }, "Sandbox"),
        this.#status,
        el("span", { class: "soft hide-s" }, "Your changes stay here. Nothing is sent."),
        el("span", { class: "push" }),
        ...[link, reset, close],
      ),
      el(
        "nav",
        { class: "bench-tabs", "aria-label": "Sandbox" },
        ...tabs.map(([id, name]) => el("a", { href: `#${id}` }, name)),
      ),
      el("div", { class: "bench-top" }, this.#form.element, this.#response.element),
      el("div", { class: "bench-low" }, this.#outbox.element, this.#controls.element),
    );
    for (const anchor of this.querySelectorAll<HTMLAnchorElement>(".bench-tabs a"))
      anchor.addEventListener("click", (event) => {
        // The fragment of the page may have a scenario.
        event.preventDefault();
        this.querySelector(anchor.hash)?.scrollIntoView();
      });
  }

  /** @param shown whether the requests of the scenario are shown while they are sent */
  async #start(scenario?: Scenario, shown = true): Promise<void> {
    this.#status.replaceChildren(state("wait", "starting"));
    this.#outbox.clear();
    this.#session = new Session(this.#data, script, scenario?.start);
    try {
      await this.#session.opened;
    } catch (error) {
      this.#status.replaceChildren(state("bad", "not available"));
      this.#response.clear(error instanceof Error ? error.message : String(error));
      return;
    }
    await this.#refresh();
    for (const step of scenario?.steps ?? []) {
      if (shown && step.do === "send") this.#form.fill(step);
      const response = await this.#session.replay(step).catch(() => undefined);
      if (response === undefined || step.do !== "send") continue;
      if (shown) this.#show(step.operation, response);
      else this.#keepId(response);
    }
    await this.#refresh();
    save(this.#session.scenario);
    this.#showServer();
  }

  async #reset(): Promise<void> {
    this.#session.stop();
    this.#response.clear("The sandbox is in its state after the start.");
    if (location.hash.startsWith("#try="))
      history.replaceState(null, "", location.pathname + location.search);
    await this.#start();
  }

  async #refresh(): Promise<void> {
    const now = await this.#session?.state().catch(() => undefined);
    if (now === undefined) return;
    this.#outbox.show(now.messages, now.now);
    this.#controls.show(now);
  }

  async #act(action: Action): Promise<TryResponse | undefined> {
    try {
      return await this.#session.act(action);
    } catch (error) {
      this.#response.clear(error instanceof Error ? error.message : String(error));
      return undefined;
    } finally {
      save(this.#session.scenario);
      await this.#refresh();
    }
  }

  async #send(): Promise<void> {
    this.#form.busy = true;
    this.#response.clear("Waiting for the response.");
    const { value, ownServer } = this.#form;
    const response =
      ownServer === undefined
        ? await this.#act({ do: "send", ...value })
        : await this.#sendToOwn(ownServer.baseUrl, ownServer.key);
    if (response !== undefined) this.#show(value.operation, response);
    this.#form.busy = false;
    // In one column, the response is below the request.
    if (matchMedia("(max-width: 47.99rem)").matches) this.#response.element.scrollIntoView();
  }

  async #sendToOwn(baseUrl: string, key: string): Promise<TryResponse> {
    const url = URL.parse(baseUrl);
    if (url === null || !/^https?:$/.test(url.protocol))
      return {
        ...{ status: 0, headers: [], body: "", milliseconds: 0 },
        problem: `The base URL must start with https:// or http:// (got ${JSON.stringify(baseUrl)}).`,
      };
    const { value } = this.#form;
    return sendTo(url, requestOf(operationOf(this.#data, value.operation), value, key));
  }

  #show(operation: string, response: TryResponse): void {
    // A browser hides most headers of another host.
    const comparable = response.status !== 0 && this.#form.ownServer === undefined;
    const checked = comparable ? validate(operation, response) : undefined;
    this.#response.show(response, checked, errorLink(response, this.#data));
    this.#keepId(response);
  }

  /** The id of a message is the path parameter of the next request. */
  #keepId({ body }: TryResponse): void {
    const [, id] = /"id":\s*"((?:msg|sched)_\w{1,100})"/.exec(body) ?? [];
    if (id !== undefined) this.#form.lastId = id;
  }

  /** The sandbox is not used while requests go to another server. */
  #showServer(): void {
    const own = this.#form.ownServer !== undefined;
    this.#status.replaceChildren(own ? state("info", "not used") : state("good", "running"));
    this.classList.toggle("own-server", own);
  }

  /** The address bar gets the link too: not every page may use the clipboard. */
  async #copyLink(button: HTMLElement): Promise<void> {
    const { scenario } = this.#session;
    const code = await writeScenario(scenario);
    if (!isSharable(code, scenario)) {
      this.#response.clear("A link cannot hold this many steps. Reset the sandbox, and do less.");
      return;
    }
    history.replaceState(null, "", `#try=${code}`);
    const copied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? "Copied" : "In the address bar";
    setTimeout(() => {
      button.textContent = "Copy link";
    }, 1_500);
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

const tabs = [
  ["try-request", "Request"],
  ["try-response", "Response"],
  ["try-outbox", "Outbox"],
  ["try-clock", "Clock"],
  ["try-failures", "Failures"],
] as const;

customElements.define("try-panel", TryPanel);

/** Creates the panel. It starts when it is opened. */
export const createPanel = (): TryPanel => document.createElement("try-panel") as TryPanel;
