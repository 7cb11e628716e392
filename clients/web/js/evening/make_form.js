/** The form that makes an evening: three fields, and the rest for whoever wants it otherwise. */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { weekdayWords } from "./leader_panel.js";
import { makeEvening } from "./evenings_api.js";
import { listRules } from "../net/api.js";
import { element, oneAtATime } from "../ui/dom.js";

const ROUNDS = [1, 2, 3, 4, 5, 6, 8, 9, 10, 12];
const MINUTES = [3, 5, 8, 10, 12, 15, 20, 30];
/** Minutes of an arena, which is chosen in place of a number of rounds. */
const ARENAS = [10, 30, 60, 90, 120];
const HALF_HOUR_MILLISECONDS = 1_800_000;

/** @param {import("../main.js").App} app @param {{id: string, name: string}[]} groups that the reader owns @param {boolean} isForAll whether it may be for everybody */
export function makeEveningForm(app, groups, isForAll) {
  const title = element("input", { id: "evening-title", maxlength: 40, required: true, autocomplete: "off" });
  const when = element("input", { id: "evening-when", type: "datetime-local", required: true, value: localTime(nextHalfHour(Date.now())) });
  const repeats = element("select", { id: "evening-repeats" }, element("option", { value: "" }, t("evenings.once")), element("option", { value: "weekly" }));
  const nameWeekday = () => {
    repeats.options[1].textContent = t("evenings.every", { day: weekdayWords(new Date(when.value || Date.now()).getTime()) });
  };
  when.addEventListener("change", nameWeekday);
  nameWeekday();
  const level = choice("evening-level", ["mixed", "gentle", "steady", "stern"].map((one) => [one, t(`evenings.level_${one}`)]), "mixed");
  const lengths = [...ROUNDS.map((many) => [many, String(many)]), ...ARENAS.map((long) => [`arena:${long}`, t("evenings.arena_of", { minutes: long })])];
  const rounds = choice("evening-rounds", /** @type {[string|number, string][]} */ (lengths), 6);
  const minutes = choice("evening-minutes", MINUTES.map((many) => [many, t("time.minutes", { minutes: many })]), 10);
  const everybody = [["all", t("evenings.entry_all")], ["link", t("evenings.entry_link")]];
  const entries = /** @type {[string, string][]} */ ([...(isForAll ? everybody : []), ...groups.map(({ id, name }) => [`group:${id}`, name])]);
  const entry = choice("evening-entry", entries, entries[0][0]);
  const game = choice("evening-game", [["", t("evenings.games_by_level")]], "");
  const bots = choice("evening-bots", ["apart", "mixed", "none"].map((one) => [one, t(`evenings.bots_${one}`)]), "apart");
  const scoring = choice("evening-scoring", ["matchpoints", "points", "places"].map((one) => [one, t(`evenings.scoring_${one}`)]), "matchpoints");
  const certified = choice("evening-certified", ["usual", "yes", "no"].map((one) => [one, t(`admin.certified_${one}`)]), "usual");
  const freeze = element("input", { type: "checkbox", id: "evening-freeze" });
  const final = choice("evening-final", [[0, t("evenings.no_final")], ...[4, 6, 8, 12].map((best) => /** @type {[number, string]} */ ([best, t("evenings.best", { best })]))], 0);
  const teams = element("textarea", { id: "evening-teams", rows: 3 });
  const best = choice("evening-team-best", [1, 2, 3, 4, 5, 6].map((count) => [count, String(count)]), 2);
  const problem = element("p", { class: "problem", role: "alert" });
  const make = oneAtATime(async () => {
    await app.ensurePlayer();
    const [kind, group] = entry.value.split(":");
    const [count, arena] = rounds.value.split(":");
    const common = { title: title.value, starts_at: new Date(when.value).getTime(), level: /** @type {"mixed"} */ (level.value), bots: /** @type {"apart"} */ (bots.value), entry: /** @type {"all"} */ (kind), group,
      weekly: repeats.value ? new Intl.DateTimeFormat().resolvedOptions().timeZone : undefined };
    const gamesOf = (/** @type {number} */ many) => (game.value ? Array.from({ length: many }, () => game.value) : undefined);
    const evening = await makeEvening(arena ? { ...common, arena_minutes: Number(arena), games: gamesOf(1) } : {
      ...common, rounds: Number(count), seconds: Number(minutes.value) * 60, freeze: freeze.checked, games: gamesOf(Number(count) + (Number(final.value) ? 1 : 0)),
      scoring: /** @type {"matchpoints"} */ (scoring.value),
      teams: teamsWanted(teams.value, Number(best.value)), certified: { yes: true, no: false }[certified.value],
      final: Number(final.value) ? { rounds: 1, best: Number(final.value) } : undefined,
    });
    app.go(`/evenings/${evening.id}`);
  });
  const ofRounds = element("div", {}, labelled(t("evenings.minutes"), minutes), labelled(t("evenings.scoring"), scoring), labelled(t("evenings.final_field"), final), labelled(t("admin.certified"), certified),
    labelled(t("evenings.teams_field"), teams), labelled(t("evenings.team_best"), best),
    element("p", { class: "check" }, freeze, element("label", { for: freeze.id }, t("evenings.freeze"))));
  rounds.addEventListener("change", () => {
    ofRounds.hidden = rounds.value.startsWith("arena");
  });
  const more = element("details", {}, element("summary", {}, t("evenings.more")), labelled(t("evenings.repeats"), repeats), labelled(t("evenings.entry"), entry),
    labelled(t("evenings.games"), game), labelled(t("evenings.rounds"), rounds), labelled(t("evenings.bots"), bots), ofRounds);
  more.addEventListener("toggle", () => {
    listRules().then((rules) => {
      const named = rules.map(({ slug, name }) => ({ slug, name })).sort((one, other) => one.name.localeCompare(other.name));
      game.append(...named.map(({ slug, name }) => element("option", { value: slug }, name)));
    }, (refusal) => {
      problem.textContent = refusalWords(refusal);
    });
  }, { once: true });
  return element("form", { class: "panel form evening-form", on: {
    submit: (event) => {
      event.preventDefault();
      make()?.catch((refusal) => {
        problem.textContent = refusalWords(refusal);
      });
    },
  } }, element("h2", {}, t("evenings.make")), labelled(t("evenings.title_field"), title), labelled(t("evenings.when"), when),
  labelled(t("evenings.level"), level),
  more, problem, element("button", { class: "button primary" }, t("evenings.make_it")));
}

/** The teams of a field with one name on each line; undefined without any. @param {string} lines @param {number} best */
export function teamsWanted(lines, best) {
  const names = lines.split("\n").map((name) => name.trim()).filter(Boolean);
  return names.length ? { best, names } : undefined;
}

/** The next full or half hour that is at least ten minutes away. @param {number} now */
function nextHalfHour(now) {
  return Math.ceil((now + 600_000) / HALF_HOUR_MILLISECONDS) * HALF_HOUR_MILLISECONDS;
}

/** A moment as a field for a local time takes it. @param {number} moment */
function localTime(moment) {
  return new Date(moment - new Date(moment).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @param {string} words @param {HTMLElement} field */
function labelled(words, field) {
  return element("p", {}, element("label", { for: field.id }, words), field);
}

/** @template {string|number} T @param {string} id @param {[value: T, words: string][]} options @param {T} chosen */
function choice(id, options, chosen) {
  return element("select", { id }, options.map(([value, words]) => element("option", { value, selected: value === chosen }, words)));
}
