import { choice } from "./store.ts";

/** The system's scheme applies until the reader chooses one. Starlight reads the same key before the page is shown. */
const key = "starlight-theme";

export function addThemeButton(): void {
  const { dataset } = document.documentElement;
  document.querySelector(".theme-button")?.addEventListener("click", () => {
    dataset.theme = dataset.theme === "dark" ? "light" : "dark";
    choice.write(key, dataset.theme);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => {
    if (!choice.read(key)) dataset.theme = matches ? "dark" : "light";
  });
}
