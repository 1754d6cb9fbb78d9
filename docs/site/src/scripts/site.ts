// Everything on the pages can be read without this script. It adds the theme, copying, and remembered choices.
import { rememberChoices } from "./choices.ts";
import { addCopying } from "./copying.ts";
import { addFilter } from "./filter.ts";
import { revealTarget } from "./reveal.ts";
import { addSearchArrows, keepSearchText } from "./search.ts";
import { addThemeButton } from "./theme.ts";

addThemeButton();
rememberChoices();
addCopying();
keepSearchText();
addSearchArrows();
addFilter();
revealTarget();
