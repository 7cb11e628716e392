/** A game stepped through, move by move. */
import { practise, readDaily, readGame, readReplay } from "../api.js";
import { Board } from "../board.js";
import { isFinished } from "../deals.js";
import { button, element, fill, link } from "../dom.js";
import { recordLink } from "../ending.js";
import { positions } from "../positions.js";
import { EMPTY } from "../selection.js";
import { makeStage } from "../stage.js";
import { statusWords } from "../words.js";

/** @param {HTMLElement} root */
export async function show(root, { game }, app) {
  const view = await readGame(game);
  if (view.sight === "meter") {
    app.go(`/watch/${game}`, { replace: true });
    return undefined;
  }
  const steps = positions(await readReplay(game));
  const last = steps.length - 1;
  const slider = element("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Move", on: { input: () => go(Number(slider.value)) } });
  const where = element("output", { class: "where" });
  const step = (sign, name, target) => {
    const made = button(sign, () => go(target()), "button step");
    made.setAttribute("aria-label", name);
    made.title = name;
    return made;
  };
  let now = 0;
  const first = step("«", "First position", () => 0);
  const before = step("‹", "Previous move", () => now - 1);
  const after = step("›", "Next move", () => now + 1);
  const end = step("»", "Last position", () => last);
  const title = element("span", { class: "eyebrow" }, `Replay · ${view.game.player.name} · ${statusWords(view.status)}`);
  const stage = await makeStage(root, view.game.rules, {
    title, tools: [element("span", { class: "stepper" }, first, before, slider, after, end), where, raceIt(view, app), await record(view)],
  });
  app.title(`Replay of ${stage.rules.name}`);
  const board = new Board(stage.table, stage.rules.layout, { label: `${stage.rules.name}, replay`, room: stage.room });

  stage.table.classList.add("still");

  function go(wanted) {
    now = Math.max(0, Math.min(last, wanted));
    const { session, words } = steps[now];
    board.draw({ piles: session.piles, hand: EMPTY, targets: new Map() });
    stage.stats.show({ ...session, milliseconds: view.clock ?? session.milliseconds ?? 0 });
    slider.value = String(now);
    slider.setAttribute("aria-valuetext", `${now} of ${last}: ${words}`);
    fill(where, document.createTextNode(`${now} of ${last} · ${words}`));
    first.disabled = before.disabled = now === 0;
    after.disabled = end.disabled = now === last;
  }

  function key(event) {
    if (event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    go(target);
  }

  addEventListener("keydown", key);
  go(0);
  return () => {
    removeEventListener("keydown", key);
    board.close();
    stage.stats.close();
  };
}

/** A practice run of the same deal against this one; what keeps one from it is said on the button. */
function raceIt({ game, status }, app) {
  if (!game.day || !isFinished(status)) return null;
  const made = button("Race this run", async () => {
    try {
      await app.needPlayer();
      const run = await practise(game.day, game.slot);
      app.go(`/play/${run.id}?ghost=${game.id}`);
    } catch (refusal) {
      made.textContent = refusal.message;
      made.disabled = true;
    }
  });
  return made;
}

async function record(view) {
  if (!isFinished(view.status)) return link(`/watch/${view.game.id}`, "Still being played: watch it");
  const { day, id } = view.game;
  const daily = day ? await readDaily(day).catch(() => null) : null;
  return !daily || daily.state === "closed" ? recordLink(id) : null;
}
