// Everything on the pages can be read without this script. It adds the theme, copying, and remembered choices.
import { rememberChoices } from "./choices.ts";
import { addCopying } from "./copying.ts";
import { revealTarget } from "./reveal.ts";
import { addThemeButton } from "./theme.ts";

addThemeButton();
rememberChoices();
addCopying();
revealTarget();
