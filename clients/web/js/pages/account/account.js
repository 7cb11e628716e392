/**
 * The account: a guest's name, a name with a password, signing in and out, bots, personal tokens.
 *
 * @import { Player } from "wire"
 * @import { App } from "../../main.js"
 */
import { makeAccountForm } from "../../account/account_form.js";
import { makeBotsPanel } from "../../account/bots_panel.js";
import { makeLeavingPanel } from "../../account/leaving_panel.js";
import { makeNotificationsPanel } from "../../account/notifications_panel.js";
import { makePasswordForm } from "../../account/password_form.js";
import { makeMailPanel } from "../../access/mail_panel.js";
import { makePasskeysPanel } from "../../access/passkeys_panel.js";
import { makeProviderPanel, makeProviderSignIn } from "../../access/provider_panel.js";
import { makePersonalTokensPanel } from "../../account/personal_tokens_panel.js";
import { makeCodesNotice, makeRecoveryPanel } from "../../access/recovery_panel.js";
import { makeOwnRunsPanel } from "../../account/own_runs_panel.js";
import { makeMyReports } from "../../account/report.js";
import { makeSessionsPanel } from "../../access/sessions_panel.js";
import { makeUnfinishedGames } from "../../daily/unfinished_games.js";
import { nameWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { claimName, listRules, listUnfinishedGames, readCurrentPlayer, Refusal, signIn, signInAsGuest, signOut, signOutEverywhere, takeNewCodes } from "../../net/api.js";
import { readEntry, readRole } from "../../net/admin_api.js";
import { claimNameWithPasskey, hasPasskeys, signInWithPasskey } from "../../net/passkeys.js";
import { confirmAction } from "../../ui/dialogs.js";
import { button, element, fill, link } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("account.title"));
  const reload = () => app.go(location.pathname, { replace: true });
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("account.you"))), await unfinishedGames(app),
    ...await parts(root, app, reload));
}

/** The games to continue, which stand first. @param {App} app */
async function unfinishedGames(app) {
  if (!app.player) return null;
  const games = await listUnfinishedGames().catch(() => []);
  const names = games.length ? new Map((await listRules()).map(({ slug, name }) => [slug, name])) : new Map();
  return makeUnfinishedGames(games, (slug) => names.get(slug) ?? slug);
}

/** One's own games and where they are in the log. */
async function ownRuns() {
  const names = new Map((await listRules().catch(() => [])).map(({ slug, name }) => [slug, name]));
  return makeOwnRunsPanel((slug) => names.get(slug) ?? slug);
}

/** @param {Element} root @param {App} app @param {() => void} reload */
async function parts(root, app, reload) {
  const { player } = app;
  const entry = player && !player.guest ? null : await readEntry();
  const forms = () => element("div", { class: "pair" }, entry?.accounts === "open" ? claimForm(app, reload) : closedPanel(entry?.accounts), signInForm(app, reload));
  if (!player) return [await suspendedPanel(reload) ?? signedOutPanel(app, reload, entry?.guests ?? true), await makeProviderSignIn(), forms()];
  const leave = () => {
    app.setPlayer(null);
    fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("account.erased")),
      element("p", { class: "actions" }, link("/", t("shell.back"), "button primary"))));
  };
  const leaving = makeLeavingPanel(player, leave);
  const runs = await ownRuns();
  if (player.guest) return [guestPanel(player), await makeProviderSignIn(), forms(), runs, await makeNotificationsPanel(), leaving];
  const [bots, tokens, role, recovery, sessions, passkeys, provider, mail, notifications, reports] = await Promise.all([makeBotsPanel(), makePersonalTokensPanel(), readRole(),
    makeRecoveryPanel(), makeSessionsPanel(), hasPasskeys() ? makePasskeysPanel(player.name) : null, makeProviderPanel(), makeMailPanel(), makeNotificationsPanel(), makeMyReports()]);
  const codes = takeNewCodes();
  const notice = codes.length > 0 && makeCodesNotice(codes, () => notice && notice.remove());
  return [notice, signedInPanel(player, role, app, reload), element("div", { class: "pair" }, makePasswordForm(player.name), bots), tokens, element("div", { class: "pair" }, recovery, sessions), passkeys, provider, mail, notifications, runs, reports, leaving];
}

/** @param {Player} player @param {string|null} role @param {App} app @param {() => void} reload */
function signedInPanel(player, role, app, reload) {
  const problem = element("p", { class: "problem", role: "alert" });
  /** @param {() => Promise<unknown>} end */
  const leave = async (end) => {
    problem.textContent = "";
    try {
      await end();
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
      return;
    }
    app.setPlayer(null);
    reload();
  };
  const everywhere = async () => {
    if (await confirmAction(t("account.everywhere_question"), t("account.everywhere"), t("common.no"))) await leave(signOutEverywhere);
  };
  return element("section", { class: "panel" },
    element("p", { class: "lead" }, t("account.signed_in", { name: player.name })), problem,
    element("p", { class: "actions" }, ...profileLinks(player), role && link("/house", t("admin.title"), "button"), button(t("account.sign_out"), () => leave(signOut)),
      button(t("account.everywhere"), everywhere)));
}

/** @param {Player} player */
function profileLinks(player) {
  return [link(`/players/${player.id}`, t("account.your_page"), "button"), link("/people", t("account.friends"), "button"), settingsLink()];
}

function settingsLink() {
  return link("/settings", t("settings.title"), "button");
}

/** What somebody reads whose account cannot be used just now; null for everybody else. @param {() => void} reload */
async function suspendedPanel(reload) {
  const refusal = await readCurrentPlayer().catch((problem) => problem);
  if (!(refusal instanceof Refusal) || refusal.code !== "suspended") return null;
  return element("section", { class: "panel" }, element("p", { class: "problem", role: "alert" }, refusalWords(refusal)),
    element("p", { class: "actions" }, button(t("account.sign_out"), async () => {
      await signOut();
      reload();
    })));
}

/** Says at once that not everybody can create an account here. @param {string} [accounts] who can */
function closedPanel(accounts) {
  return element("section", { class: "panel" }, element("h2", {}, t("account.claim")), element("p", {}, t(accounts === "closed" ? "account.entry_closed" : "account.entry_invited")));
}

/** @param {App} app @param {() => void} reload @param {boolean} guests whether one may begin as a guest */
function signedOutPanel(app, reload, guests) {
  return element("section", { class: "panel" },
    element("p", {}, t(guests ? "account.nobody" : "account.nobody_no_guests")),
    element("p", { class: "actions" }, guests && button(t("account.play_as_guest"), async () => {
      app.setPlayer(await signInAsGuest());
      reload();
    }), settingsLink()));
}

/** @param {Player} player */
function guestPanel(player) {
  return element("section", { class: "panel" },
    element("p", { class: "lead" }, t("account.guest", { name: nameWords(player) })),
    element("p", { class: "fine" }, t("account.guest_words")),
    element("p", { class: "actions" }, ...profileLinks(player)));
}

/** @param {App} app @param {() => void} reload */
function claimForm(app, reload) {
  /** @param {Player} player */
  const enter = (player) => {
    app.setPlayer(player);
    reload();
  };
  return makeAccountForm(t("account.claim"), t("account.keep_name"), "new-password", async (name, password) => enter(await claimName(name, password)),
    hasPasskeys() ? { words: t("account.passkey_claim"), needsName: true, use: async (name) => enter(await claimNameWithPasskey(name)) } : null);
}

/** @param {App} app @param {() => void} reload */
function signInForm(app, reload) {
  const form = makeAccountForm(t("account.sign_in"), t("account.sign_in"), "current-password", async (name, password) => {
    app.setPlayer(await signIn(name, password));
    reload();
  }, hasPasskeys() ? { words: t("account.passkey_sign_in"), needsName: false, use: async () => {
    app.setPlayer(await signInWithPasskey());
    reload();
  } } : null);
  form.append(element("p", { class: "fine" }, link("/forgot", t("account.forgot"))));
  return form;
}
