/**
 * The log: what hosts and moderators have done, the latest first.
 *
 * @import { StaffAct } from "wire"
 */
import { nameWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { readAdminLog } from "../net/admin_api.js";
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
      const { acts, more } = await readAdminLog(before);
      rows.append(...acts.map(row));
      fill(rest, more && button(t("admin.earlier"), () => load(acts[acts.length - 1].version)));
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  await load();
  return element("section", { class: "panel" }, element("h2", {}, t("admin.log")), element("p", {}, t("admin.log_words")),
    rows.children.length === 0 && !problem.textContent && element("p", {}, t("admin.log_empty")), rows, problem, rest);
}

/** @param {StaffAct} act */
function row(act) {
  const by = act.by ? nameWords(act.by) : t("admin.by_command");
  const why = [act.reason && t(`admin.reason_${act.reason}`), act.note && `“${act.note}”`];
  return element("li", {}, element("span", {}, element("strong", {}, t(`admin.was_${act.act}`)), ...detailsOf(act).flatMap((detail) => [" · ", detail]),
    act.game ? [" · ", link(`/house?run=${act.game}`, t("admin.the_run"))] : [],
    element("small", { class: "fine" }, [momentWords(act.at), by, ...why].filter(Boolean).join(" · "))));
}

/** To whom or to what something was done. @param {StaffAct} act @returns {string[]} */
function detailsOf({ act, player, role, until, accounts, guests, uses, changed, games }) {
  const found = [player && nameWords(player)];
  if (act === "role_changed") found.push(t(role ? `admin.role_${role}` : "admin.role_player"));
  if (accounts) found.push(t(`admin.accounts_${accounts}`), t(guests ? "admin.with_guests" : "admin.without_guests"));
  if (changed) found.push(changed.map((name) => t(`admin.changed_${name}`)).join(", "));
  if (games) found.push(t("admin.archived_games", { count: games }));
  if (uses) found.push(t("admin.uses_left", { count: uses }));
  if (until) found.push(t("admin.until", { moment: momentWords(until) }));
  return found.filter((detail) => detail !== undefined);
}
