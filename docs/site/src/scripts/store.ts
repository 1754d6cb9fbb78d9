/** What the reader has chosen. If the browser disables storage, a choice applies to the page only. */
export const choice = {
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
