/** Buttons with `data-copy` copy that text, and say so for a moment. */
export function addCopying(): void {
  for (const button of document.querySelectorAll<HTMLElement>("button[data-copy]"))
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy ?? "");
      const label = button.ariaLabel;
      button.classList.add("copied");
      button.ariaLabel = "Copied";
      setTimeout(() => {
        button.classList.remove("copied");
        button.ariaLabel = label;
      }, 1500);
    });
}
