/** No such page. */
import { element, fill, link } from "../dom.js";

/** @param {HTMLElement} root */
export function show(root, _parameters, app) {
  app.title("Not found");
  fill(root, element("section", { class: "panel notice" }, element("h1", {}, "No such page"),
    element("p", {}, "There is nothing at this address. ", link("/", "Today’s challenge"), " is always there.")));
}
