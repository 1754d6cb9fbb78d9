import { copyOnClick } from "../scripts/copying.ts";

type Child = Node | string | false | null;
type Attributes = Record<string, string | boolean | undefined | ((event: Event) => void)>;

/** Creates an element. Functions are listeners, by the names `onclick` and the like. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (typeof value === "string") element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== false && child !== null));
  return element;
}

function closeIcon(): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.classList.add("icon");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", "m4 4 8 8m0-8-8 8");
  svg.append(path);
  return svg;
}

/** A button that copies a text, and says so for a moment. */
export function copyButton(label: string, textOf: () => string | Promise<string>): HTMLButtonElement {
  const button = el("button", { class: "copy", type: "button", "aria-label": label });
  copyOnClick(button, textOf);
  return button;
}

/** A word with a dot of its color. */
export const state = (kind: "good" | "bad" | "wait" | "info", text: string): HTMLElement =>
  el("span", { class: `state ${kind}` }, text);

/** The bar at the top of the panel. */
export const panelBar = (status: HTMLElement, buttons: readonly HTMLElement[]): HTMLElement =>
  el(
    "div",
    { class: "bench-bar" },
    el("h2", { tabindex: "-1" }, "Sandbox"),
    status,
    el("span", { class: "soft hide-s" }, "Your changes stay here. Nothing is sent."),
    el("span", { class: "push" }),
    ...buttons,
  );

export const closeButton = (onClose: () => void): HTMLElement =>
  el(
    "button",
    { class: "tool", type: "button", "aria-label": "Close the sandbox", onclick: onClose },
    closeIcon(),
  );

const tabs = [
  ["try-request", "Request"],
  ["try-response", "Response"],
  ["try-outbox", "Outbox"],
  ["try-clock", "Clock"],
  ["try-failures", "Failures"],
] as const;

/** Links to the parts of the panel, for narrow screens. */
export function panelTabs(): HTMLElement {
  const show = (event: Event, id: string): void => {
    // The fragment of the page may have a scenario.
    event.preventDefault();
    document.getElementById(id)?.scrollIntoView();
  };
  return el(
    "nav",
    { class: "bench-tabs", "aria-label": "Sandbox" },
    ...tabs.map(([id, name]) => el("a", { href: `#${id}`, onclick: (event) => show(event, id) }, name)),
  );
}
