// Adds the button "Try it" to the request of an operation. The sandbox is loaded on a click, or by a link that replays a scenario.
import type { createPanel } from "./panel.ts";

type Panel = ReturnType<typeof createPanel>;

/** Also of a damaged link: the panel says what is wrong. */
const fragment = /^#try=(.*)$/;

let panel: Promise<Panel> | undefined;
/** The button that opened the panel, and gets the focus when it is closed; undefined after that. */
let opener: HTMLButtonElement | undefined;

function close(): void {
  document.body.classList.remove("trying");
  document.querySelector("try-panel")?.remove();
  if (opener === undefined) return;
  // While the sandbox starts, it is disabled, and could not have the focus.
  opener.disabled = false;
  opener.focus();
  opener = undefined;
}

const addStyle = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL("panel.css", import.meta.url).href;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error("the style of the sandbox could not be loaded"));
    document.head.append(link);
  });

/** The request that the first page shows, which is not an example of the document. */
function shownRequest(): { body: string; idempotencyKey: string } | undefined {
  const text = document.querySelector(".exchange > .request pre code")?.textContent ?? "";
  const [, idempotencyKey = ""] = /Idempotency-Key: ([^'"]+)/.exec(text) ?? [];
  const [, body] = /-d '([^']+)'/.exec(text) ?? [];
  return body === undefined ? undefined : { body, idempotencyKey };
}

async function load(operation: string): Promise<Panel> {
  const [{ createPanel }] = await Promise.all([import("./panel.ts"), addStyle()]);
  const created = createPanel();
  document.querySelector(".shell")?.append(created);
  document.body.classList.add("trying");
  const [, code] = fragment.exec(location.hash) ?? [];
  await created.open({ operation, code, shown: shownRequest(), onClose: close });
  return created;
}

async function open(button: HTMLButtonElement, operation: string): Promise<void> {
  button.disabled = true;
  opener = button;
  try {
    panel ??= load(operation);
    const opened = await panel;
    // It was closed while the sandbox started.
    if (opener === undefined) return;
    document.body.classList.add("trying");
    if (!opened.isConnected) document.querySelector(".shell")?.append(opened);
    // On a phone it is longer than the window, and begins with the request.
    const isNarrow = matchMedia("(max-width: 47.99rem)").matches;
    opened.scrollIntoView({ block: isNarrow ? "start" : "nearest" });
    opened.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  } catch (error) {
    panel = undefined;
    close();
    console.error(error);
    button.textContent = "The sandbox could not be loaded. Try again";
  }
  button.disabled = false;
}

function createButton(operation: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button chief";
  button.textContent = "Try it";
  button.addEventListener("click", () => void open(button, operation));
  return button;
}

/** The method and path with a button, at the bottom of a phone. */
function addBar(operation: string, place: HTMLElement): void {
  const bar = document.createElement("section");
  bar.ariaLabel = "Send the request";
  bar.className = "try-bar";
  const endpoint = document.createElement("span");
  const shown = document.querySelector(".endpoint code");
  for (const part of shown?.childNodes ?? [])
    if (!(part instanceof Element && part.classList.contains("host"))) endpoint.append(part.cloneNode(true));
  bar.append(endpoint, createButton(operation));
  document.querySelector(".main-frame")?.append(bar);
  // One button is enough.
  new IntersectionObserver(([entry]) => {
    bar.classList.toggle("unneeded", entry?.isIntersecting);
  }).observe(place);
}

const [place] = document.querySelectorAll<HTMLElement>("[data-try]");
const { try: operation } = place?.dataset ?? {};
if (place !== undefined && operation !== undefined) {
  const note = document.createElement("span");
  note.textContent = "Runs in the sandbox. Nothing is sent.";
  const button = createButton(operation);
  place.append(note, button);
  addBar(operation, place);
  if (fragment.test(location.hash)) void open(button, operation);
}
