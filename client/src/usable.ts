/** The text as it is, where it has the form. @throws TypeError otherwise, which does not show the text: it may be a key */
export function usable(name: string, form: RegExp, text: string): string {
  if (!form.test(text ?? "")) throw new TypeError(`${name} does not match ${form}`);
  return text;
}

/** A parameter of a path: neither empty nor anything that leads elsewhere. */
export const parameterForm = /^(?!\.{1,2}$)[^\\/]+$/;
