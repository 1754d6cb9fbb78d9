/** Buttons with `data-copy` copy that text. */
export function addCopying(): void {
  for (const button of document.querySelectorAll<HTMLElement>("button[data-copy]"))
    copyOnClick(button, () => button.dataset.copy ?? "");
}

/** A click on the button copies a text, and says so for a moment. */
export function copyOnClick(button: HTMLElement, textOf: () => string | Promise<string>): void {
  // Read once: at a second click it would be "Copied".
  const label = button.ariaLabel;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(await textOf());
    button.classList.add("copied");
    button.ariaLabel = "Copied";
    setTimeout(() => {
      button.classList.remove("copied");
      button.ariaLabel = label;
    }, 1500);
  });
}
