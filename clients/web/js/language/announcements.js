/**
 * What happens at a table in words, for screen readers and for whoever does not see the cards move: a move, a pile, the hand.
 *
 * @import { Effect, Piles } from "../game/effects.js"
 */
import { DOWN } from "../game/cards.js";
import { positionsAfterEffects } from "../game/effects.js";
import { targets } from "../game/moves.js";
import { cardWords, describePile, pileWords } from "./card_words.js";
import { capitalize, verbWords } from "./format.js";
import { t } from "./translate.js";

/** At most so many sentences about one move. If a move has more, one more sentence gives their number. */
const MAX_SENTENCES = 4;
/** If at least so many effects in a row move cards from one pile, their cards are counted together. */
const MIN_GROUPED_CARDS = 3;

/**
 * A move in words: "seven of hearts to column 3. Column 1 shows queen of clubs."
 * @param {import("../game/effects.js").Piles} before
 * @param {string[]} effects
 * @param {import("../game/effects.js").Piles} after
 * @param {(pile: string) => string} role
 */
export function moveAnnouncement(before, effects, after, role) {
  const steps = positionsAfterEffects(before, effects, after, (pile) => role(pile) === "stock");
  if (steps === null) return "";
  const sentences = groupedWords(steps);
  const words = sentences.slice(0, MAX_SENTENCES).map(capitalize);
  if (sentences.length > MAX_SENTENCES) words.push(t("moves.and_more", { count: sentences.length - MAX_SENTENCES }));
  const stock = Object.keys(after).filter((pile) => role(pile) === "stock" && after[pile].length !== before[pile].length);
  const left = (/** @type {string} */ pile) => t("moves.stock_left", { pile: capitalize(pileWords(pile)), count: after[pile].length });
  return [...words, ...stock.map(left)].join(" ");
}

/**
 * Effects in words. Cards that leave one pile one after another are counted together.
 * @param {{effect: Effect, piles: Piles}[]} steps
 */
function groupedWords(steps) {
  const sentences = [];
  for (let index = 0; index < steps.length; index += 1) {
    const { effect, piles } = steps[index];
    if (effect.kind !== "moved") {
      sentences.push(...effectWords(effect, piles));
      continue;
    }
    let end = index;
    let count = effect.count;
    for (let next = steps[end + 1]?.effect; next?.kind === "moved" && next.from === effect.from; next = steps[end + 1]?.effect) {
      count += next.count;
      end += 1;
    }
    if (end - index + 1 >= MIN_GROUPED_CARDS) {
      sentences.push(t("moves.dealt", { count, pile: pileWords(effect.from) }));
      index = end;
    } else {
      sentences.push(movedWords(effect, piles));
    }
  }
  return sentences;
}

/** @param {Extract<Effect, {kind: "moved"}>} effect @param {Piles} piles */
function movedWords({ to, count }, piles) {
  if (count > 1) return t("moves.moved_many", { count, pile: pileWords(to) });
  return t("moves.moved", { card: cardWords(piles[to].at(-1) ?? DOWN), pile: pileWords(to) });
}

/** @param {Effect} effect @param {Piles} piles @returns {string[]} */
function effectWords(effect, piles) {
  switch (effect.kind) {
    case "turned":
      return [effect.up ? t("moves.turned_up", { pile: pileWords(effect.pile), card: cardWords(piles[effect.pile][effect.index]) })
        : t("moves.turned_down", { pile: pileWords(effect.pile) })];
    case "exchanged": {
      const [first, second] = effect.piles.map((pile) => cardWords(piles[pile].at(-1) ?? DOWN));
      return [t("moves.exchanged", { first, second })];
    }
    case "redealt":
      return [t("moves.redealt", { count: effect.sizes.reduce((sum, [, size]) => sum + size, 0) })];
    default:
      return [];
  }
}

/**
 * Everything about a pile: what it is, every card that shows, and where its cards can go.
 * @param {string} pile
 * @param {string[]} cards
 * @param {string} role
 * @param {import("../game/moves.js").Move[]} moves
 */
export function pileAnnouncement(pile, cards, role, moves) {
  const open = cards.filter((card) => card !== DOWN).reverse().map(cardWords);
  const goals = new Set();
  for (let count = 1; count <= cards.length; count += 1) {
    for (const goal of targets(moves, [pile], count).keys()) goals.add(pile === goal ? "" : pileWords(goal));
  }
  return [
    `${capitalize(describePile(pile, cards))}${roleWords(pile, role)}.`,
    open.length > 1 && t("piles.from_the_top", { cards: open.join(", ") }),
    goals.size > 0 && t("piles.goes_to", { piles: [...goals].join(", ") }),
    goals.size === 0 && cards.length > 0 && moves.length > 0 && t("piles.goes_nowhere"),
  ].filter(Boolean).join(" ");
}

/**
 * What is in hand, and which cards are missing while cards are picked that are played together.
 * @param {import("../game/selection.js").Hand} hand
 * @param {import("../game/effects.js").Piles} piles
 * @param {import("../game/moves.js").Move[]} moves
 */
export function handAnnouncement({ picked, count }, piles, moves) {
  if (picked.length === 0) return "";
  const goals = targets(moves, picked, count);
  const cards = picked.length === 1 ? piles[picked[0]].slice(-count) : picked.map((pile) => piles[pile].at(-1) ?? DOWN);
  const held = t("moves.in_hand", { cards: cards.map(cardWords).join(", ") });
  const joint = moves.map((move) => (move.kind === "gather" ? move.piles : []));
  const sizes = joint.filter((joined) => picked.every((pile) => joined.includes(pile))).map((joined) => joined.length);
  if (sizes.length === 0) {
    const places = [...goals.keys()].map(pileWords).join(", ");
    return [held, places ? t("moves.can_go", { piles: places }) : t("moves.can_go_nowhere")].join(" ");
  }
  const fitting = [...new Set([...goals.keys()].map((pile) => cardWords(piles[pile]?.at(-1) ?? DOWN)))];
  return [held, t("moves.missing", { count: Math.min(...sizes) - picked.length, cards: fitting.join(", ") })].join(" ");
}

/**
 * A move in words, where several are possible: "Play queen of diamonds with two of clubs", "Put queen of diamonds on two of
 * clubs".
 * @param {import("../game/moves.js").Move} move
 * @param {import("../game/effects.js").Piles} piles
 */
export function choiceWords(move, piles) {
  const top = (/** @type {string} */ pile) => (piles[pile]?.length ? cardWords(piles[pile].at(-1) ?? DOWN) : pileWords(pile));
  if (move.kind === "transfer") {
    return t("moves.put_on", { first: cardWords(piles[move.from]?.at(-move.count) ?? DOWN), second: top(move.to) });
  }
  if (move.kind === "verb") return verbWords(move.text);
  const last = top(move.piles[move.piles.length - 1]);
  return t(`moves.choose_${move.kind}`, { first: move.piles.slice(0, -1).map(top).join(", "), second: last });
}

/** What a pile is for, in brackets, where its name does not say so. @param {string} pile @param {string} role */
function roleWords(pile, role) {
  const words = t(`piles.role_${role}`);
  return role === "tableau" || pileWords(pile).includes(words) ? "" : ` (${words})`;
}
