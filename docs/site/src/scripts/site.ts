// Everything on the pages can be read without this script. It adds the theme, copying, remembered choices, line breaks in URLs, labels of cells, menus and keys of the search.

import { breakAfterSlashes, keepBackslashes, keepWords, saveFiles } from "./code.ts";
import { addCopying, copyOnClick } from "./copying.ts";
import { addFilter, revealTarget } from "./requirements.ts";
import { addSearch } from "./search.ts";
import { labelCells } from "./tables.ts";

/** What the reader has chosen. If the browser disables storage, a choice applies to the page only. */
const choice = {
  read(name: string): string | null {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  write(name: string, value: string): void {
    try {
      localStorage.setItem(name, value);
    } catch {
      // The choice applies to this page only.
    }
  },
};

/** The system's scheme applies until the reader chooses one. Starlight reads the same key before the page is shown. */
const themeKey = "starlight-theme";

function addThemeButton(): void {
  const { dataset } = document.documentElement;
  document.querySelector(".theme-button")?.addEventListener("click", () => {
    dataset.theme = dataset.theme === "dark" ? "light" : "dark";
    choice.write(themeKey, dataset.theme);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => {
    if (!choice.read(themeKey)) dataset.theme = matches ? "dark" : "light";
  });
}

/** Remembers the switch "Show requirements", and the selected tab of every group with `data-choice`. */
function rememberChoices(): void {
  const shown = document.querySelector<HTMLInputElement>("#show-requirements");
  if (shown !== null) {
    shown.checked = choice.read("show-requirements") === "on";
    shown.addEventListener("change", () => choice.write("show-requirements", shown.checked ? "on" : "off"));
  }
  // A search that names a language leads to samples in it. "Go" is a word of many other searches.
  const text = (choice.read("searched") ?? "").toLowerCase().replaceAll(/\bgo\b/g, "");
  const searched = text.replace("golang", "go").split(/\s+/);
  choice.write("searched", "");
  for (const group of document.querySelectorAll<HTMLElement>("[data-choice]")) {
    const name = group.dataset.choice ?? "";
    const inputs = [...group.querySelectorAll("input")];
    const named = inputs.find(({ value }) => searched.includes(value.toLowerCase()));
    if (named !== undefined) choice.write(name, named.value);
    const saved = inputs.find(({ value }) => value === choice.read(name));
    if (saved !== undefined) saved.checked = true;
    group.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) choice.write(name, target.value);
    });
  }
}

/** The menus of the page and of versions: Escape and a click elsewhere close an open one. */
function addMenus(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-copy-page]");
  if (button !== null) copyOnClick(button, async () => (await fetch(button.dataset.copyPage ?? "")).text());
  document.addEventListener("click", ({ target }) => closeMenus(target));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeMenus(null);
  });
}

function closeMenus(except: EventTarget | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]"))
    if (!(except instanceof Node && menu.contains(except))) menu.open = false;
}

addThemeButton();
breakAfterSlashes();
keepWords();
keepBackslashes();
saveFiles();
labelCells();
rememberChoices();
addCopying();
addMenus();
addSearch((text) => choice.write("searched", text));
addFilter();
revealTarget();
