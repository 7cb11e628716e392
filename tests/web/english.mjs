/** Importing this module makes the client use English, from the file that the page reads. */
import { readFileSync } from "node:fs";

import { setLanguage } from "../../clients/web/js/language/translate.js";

setLanguage("en", JSON.parse(readFileSync(new URL("../../clients/web/languages/en.json", import.meta.url), "utf8")));
