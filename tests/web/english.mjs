/** Makes the client speak English, from the file that its page reads. */
import { readFileSync } from "node:fs";

import { speak } from "../../clients/web/js/language/translate.js";

speak("en", JSON.parse(readFileSync(new URL("../../clients/web/languages/en.json", import.meta.url), "utf8")));
