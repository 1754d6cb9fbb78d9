// Adds the button "Try it" to the request of an operation. The sandbox is loaded on a click, or by a link that replays a scenario.
import type { createPanel } from "./panel.ts";

type Panel = ReturnType<typeof createPanel>;

const fragment = /^#try=([\w-]+)$/;

let panel: Promise<Panel> | undefined;

const addStyle = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = new URL("panel.css", import.meta.url).href;
    link.onload = () => resolve();
    link.onerror = () => reject(new Error("the style of the sandbox could not be loaded"));
    document.head.append(link);
  });

async function load(operation: string, onClose: () => void): Promise<Panel> {
  const [{ createPanel }] = await Promise.all([import("./panel.ts"), addStyle()]);
  const created = createPanel();
  document.querySelector(".shell")?.append(created);
  document.body.classList.add("trying");
  const [, code] = fragment.exec(location.hash) ?? [];
  await created.open({ operation, code, onClose });
  return created;
}

async function open(button: HTMLButtonElement, operation: string): Promise<void> {
  button.disabled = true;
  const onClose = (): void => {
    document.body.classList.remove("trying");
    document.querySelector("try-panel")?.remove();
    button.focus();
  };
  try {
    panel ??= load(operation, onClose);
    const opened = await panel;
    document.body.classList.add("trying");
    if (!opened.isConnected) document.querySelector(".shell")?.append(opened);
    opened.scrollIntoView({ block: "nearest" });
    opened.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  } catch (error) {
    panel = undefined;
    onClose();
    console.error(error);
    button.textContent = "The sandbox could not be loaded. Try again";
  }
  button.disabled = false;
}

for (const place of document.querySelectorAll<HTMLElement>("[data-try]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button chief";
  button.textContent = "Try it";
  const { try: operation = "" } = place.dataset;
  button.addEventListener("click", () => void open(button, operation));
  if (place.children.length === 0) {
    const note = document.createElement("span");
    note.textContent = "Runs in the sandbox. Nothing is sent.";
    place.append(note);
  }
  place.append(button);
}

const [first] = document.querySelectorAll<HTMLElement>("[data-try]");
const starter = first?.querySelector("button");
if (first !== undefined && starter && fragment.test(location.hash))
  void open(starter, first.dataset.try ?? "");
