/** The HTML with which a page elsewhere shows the card of today. */
import { t } from "../language/translate.js";
import { copyButton } from "../ui/copy_button.js";
import { element } from "../ui/dom.js";

/** As `server/http/site/shared_pages.py` has it. */
const SIZE = 'width="360" height="320"';

export function makeEmbedPanel() {
  const code = `<iframe src="${location.origin}/embed/today" title="Cadogan" ${SIZE} loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;
  return element("section", { class: "panel" }, element("h2", {}, t("admin.embed")), element("p", {}, t("admin.embed_words")),
    element("p", {}, element("code", {}, code)), element("p", { class: "actions" }, copyButton(t("admin.embed_copy"), code)));
}
