/** Buttons with `data-copy` copy that text. */
export function addCopying(): void {
  for (const button of document.querySelectorAll<HTMLElement>("button[data-copy]"))
    copyOnClick(button, () => button.dataset.copy ?? "");
}

/** A click on the button copies a text, and says so for a moment. */
export function copyOnClick(button: HTMLElement, textOf: () => string | Promise<string>): void {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(await textOf());
    } catch {
      return sayBriefly(button, "Not copied");
    }
    button.classList.add("copied");
    sayBriefly(button, copied);
    setTimeout(() => button.classList.remove("copied"), duration);
  });
}

export const copied = "Copied";

const duration = 1_500;

/** Gives a button another name for a moment: its label if it has one, otherwise its text. */
export function sayBriefly(button: HTMLElement, text: string): void {
  const property = button.ariaLabel === null ? "textContent" : "ariaLabel";
  // Read once: at a second click it would be the other name.
  const name = button.dataset.label ?? button[property] ?? "";
  button.dataset.label = name;
  button[property] = text;
  setTimeout(() => {
    button[property] = name;
  }, duration);
}
