/**
 * The log: what hosts and moderators have done, the latest first.
 *
 * @import { HouseAct } from "wire"
 */
import { nameWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { readHouseLog } from "../net/admin_api.js";
import { button, element, fill, link } from "../ui/dom.js";
import { momentWords } from "./moments.js";

export async function makeLogPanel() {
  const rows = element("ul", { class: "rows" });
  const rest = element("p", { class: "actions" });
  const problem = element("p", { class: "problem", role: "alert" });
  /** @param {number} [before] */
  const load = async (before) => {
    problem.textContent = "";
    try {
      const { acts, more } = await readHouseLog(before);
      rows.append(...acts.map(row));
      fill(rest, more && button(t("house.earlier"), () => load(acts[acts.length - 1].version)));
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  await load();
  return element("section", { class: "panel" }, element("h2", {}, t("house.log")), element("p", {}, t("house.log_words")),
    rows.children.length === 0 && !problem.textContent && element("p", {}, t("house.log_empty")), rows, problem, rest);
}

/** @param {HouseAct} act */
function row(act) {
  const by = act.by ? nameWords(act.by) : t("house.by_command");
  const why = [act.reason && t(`house.reason_${act.reason}`), act.note && `“${act.note}”`];
  return element("li", {}, element("span", {}, element("strong", {}, t(`house.was_${act.act}`)), ...detailsOf(act).flatMap((detail) => [" · ", detail]),
    act.game ? [" · ", link(`/house?run=${act.game}`, t("house.the_run"))] : [],
    element("small", { class: "fine" }, [momentWords(act.at), by, ...why].filter(Boolean).join(" · "))));
}

/** To whom or to what something was done. @param {HouseAct} act @returns {string[]} */
function detailsOf({ act, player, role, until, accounts, guests, uses, changed, games }) {
  const found = [player && nameWords(player)];
  if (act === "role_changed") found.push(t(role ? `house.role_${role}` : "house.role_player"));
  if (accounts) found.push(t(`house.accounts_${accounts}`), t(guests ? "house.with_guests" : "house.without_guests"));
  if (changed) found.push(changed.map((name) => t(`house.changed_${name}`)).join(", "));
  if (games) found.push(t("house.archived_games", { count: games }));
  if (uses) found.push(t("house.uses_left", { count: uses }));
  if (until) found.push(t("house.until", { moment: momentWords(until) }));
  return found.filter((detail) => detail !== undefined);
}
