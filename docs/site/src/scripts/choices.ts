import { choice } from "./store.ts";

/** Remembers the switch "Show requirements", and the selected tab of every group with `data-choice`. */
export function rememberChoices(): void {
  const shown = document.querySelector<HTMLInputElement>("#show-requirements");
  if (shown !== null) {
    shown.checked = choice.read("show-requirements") === "on";
    shown.addEventListener("change", () => choice.write("show-requirements", shown.checked ? "on" : "off"));
  }
  for (const group of document.querySelectorAll<HTMLElement>("[data-choice]")) {
    const name = group.dataset.choice ?? "";
    const saved = [...group.querySelectorAll("input")].find(({ value }) => value === choice.read(name));
    if (saved !== undefined) saved.checked = true;
    group.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) choice.write(name, target.value);
    });
  }
}
