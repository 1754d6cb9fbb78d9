/** The text as it is, where it has the form. @throws TypeError otherwise, which does not show the text: it may be a key */
export function usable(name: string, form: RegExp, text: string): string {
  if (!form.test(text ?? "")) throw new TypeError(`${name} must match ${form}`);
  return text;
}

/** An API key: what a header can have, without what JSON writes in another way. */
export const keyForm = /^[!#-[\]-~]+$/;

/** An address of the service: https with a host, or this machine (GEN-2). */
export const addressForm = /^http(s:\/\/[^/]|:\/\/(localhost|127\.0\.0\.1)(:|\/|$))/;

/** An address that a path can be put after: without a query, a fragment or user information. */
export const plainForm = /^[^?#@]+$/;

/** A parameter of a path: neither empty nor anything that leads elsewhere. */
export const parameterForm = /^(?!\.{1,2}$)[^\\/]+$/;
