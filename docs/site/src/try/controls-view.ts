import { el } from "./dom.ts";
import { timeText } from "./outbox-view.ts";
import type { SandboxState } from "./session.ts";
import { type Advance, advances, type FailureName, failures } from "./types.ts";

interface ControlsOptions {
  advance(by: Advance): void;
  fail(failure: FailureName, requests: number): void;
  clear(): void;
}

/** The clock, and failures on demand. */
export class ControlsView {
  readonly element: HTMLElement;
  readonly #time = el("time");
  readonly #due = el("p");
  readonly #waiting = el("span", { class: "soft", role: "status" });
  readonly #clear = el("button", { class: "button", type: "button", hidden: true }, "Clear");
  readonly #next: HTMLButtonElement;

  constructor({ advance, fail, clear }: ControlsOptions) {
    const buttons = advances.map(([by, label]) =>
      el("button", { class: "button", type: "button", onclick: () => advance(by) }, label),
    );
    const [next = el("button")] = buttons.slice(-1);
    next.title = "Advances the clock to the next change of a message: a scheduled send or a delivery";
    this.#clear.addEventListener("click", clear);
    this.#next = next;
    const clock = el(
      "div",
      { id: "try-clock" },
      el("div", { class: "low-head" }, el("h3", {}, "Clock"), el("span", { class: "soft" }, "UTC")),
      el("div", { class: "clock" }, this.#time, this.#due, el("div", { class: "row" }, ...buttons)),
    );
    const attributes = { "aria-label": "Clock and failures", tabindex: "0" };
    this.element = el("section", attributes, clock, this.#failures(fail));
  }

  show({ now, nextDue, failures: waiting }: SandboxState): void {
    this.#time.textContent = timeText(now);
    this.#time.dateTime = now;
    this.#due.textContent =
      nextDue === null ? "Nothing is due." : `Next change of a message ${timeText(nextDue)}`;
    this.#next.disabled = nextDue === null;
    this.#clear.hidden = waiting.length === 0;
    const text = waiting.map(({ failure, requests }) => `${failure} × ${requests}`).join(", ");
    // Only a change is announced.
    const shown = text === "" ? "none waiting" : `waiting: ${text}`;
    if (this.#waiting.textContent !== shown) this.#waiting.textContent = shown;
  }

  #failures(fail: ControlsOptions["fail"]): HTMLElement {
    const count = {
      class: "count",
      id: "try-times",
      type: "number",
      min: "1",
      max: "99",
      value: "1",
      required: true,
    };
    const times = el("input", count);
    const hint = el("p", { class: "soft" }, "Choose what happens to the next requests.");
    // The browser says if nothing is chosen, or the number is wrong.
    const add = (event: Event): void => {
      event.preventDefault();
      const chosen = new FormData(event.target as HTMLFormElement).get("try-fail");
      fail(chosen as FailureName, times.valueAsNumber);
    };
    const fields = el(
      "fieldset",
      { class: "fail", id: "try-failures" },
      el("legend", { class: "hidden-text" }, "Failures on demand"),
      el("div", { class: "low-head" }, el("h3", {}, "Failures on demand"), this.#waiting, this.#clear),
      el(
        "div",
        { class: "row" },
        ...failures.map(([name, label, meaning]) => pick(name, label, meaning, hint)),
      ),
      hint,
      el(
        "div",
        { class: "row" },
        el("label", { for: "try-times" }, "for the next"),
        times,
        el("span", {}, "requests"),
        el("button", { class: "button push" }, "Add"),
      ),
    );
    return el("form", { onsubmit: add }, fields);
  }
}

/** @param hint shows what the chosen failure does */
function pick(name: FailureName, label: string, meaning: string, hint: HTMLElement): HTMLElement {
  const id = `try-fail-${name}`;
  const onchange = (): void => hint.replaceChildren(meaning);
  const radio = {
    type: "radio",
    name: "try-fail",
    id,
    value: name,
    required: true,
    title: meaning,
    onchange,
  };
  return el("span", { class: "pick" }, el("input", radio), el("label", { for: id }, label));
}
