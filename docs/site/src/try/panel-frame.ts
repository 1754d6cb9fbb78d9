import { el, icon } from "./dom.ts";

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
    icon("close"),
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
