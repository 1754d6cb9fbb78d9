import { copyOnClick } from "./copying.ts";

const button = document.querySelector<HTMLButtonElement>("[data-copy-page]");
if (button !== null) copyOnClick(button, async () => (await fetch(button.dataset.copyPage ?? "")).text());

/** Escape and a click elsewhere close an open menu. */
function closeMenus(except: EventTarget | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]"))
    if (!(except instanceof Node && menu.contains(except))) menu.open = false;
}

document.addEventListener("click", ({ target }) => closeMenus(target));
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") closeMenus(null);
});
