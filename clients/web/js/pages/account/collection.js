/** A player's collection: every game with a picture, which of them the player has won, and what the player has earned. */
import { nameWords } from "../../language/format.js";
import { t } from "../../language/translate.js";
import { listShelf, readCollection } from "../../net/api.js";
import { fill } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { loadLater } from "../../ui/load_later.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { player }, app) {
  const [collection, games, { makeCollection }] = await Promise.all([
    readCollection(player), listShelf(), loadLater(), loadCss("/style/shelf.css"), loadCss("/style/collection.css"),
  ]);
  app.title(t("collection.of", { name: nameWords(collection.player) }));
  fill(root, ...makeCollection(collection, games, { isOwn: collection.player.id === app.player?.id }));
}
