/** Small drawings of what a player has earned: a shield, and a medal for each kind of badge. They say nothing that is not in words beside. */
const SVG = "http://www.w3.org/2000/svg";
const SHIELD = "M12 2 L21 5 V11 C21 17 17 21 12 23 C7 21 3 17 3 11 V5 Z";
const MEDAL = "M12 2 a10 10 0 1 0 .01 0 Z";
/** What is drawn on each kind, in a square of 24. @type {Record<string, string>} */
const SIGNS = {
  shield: "M12 6 L13.8 10.2 L18 10.5 L14.8 13.3 L15.8 17.5 L12 15.2 L8.2 17.5 L9.2 13.3 L6 10.5 L10.2 10.2 Z",
  streak: "M12.6 5 C13 9 17 10 16.5 14 A4.6 4.6 0 0 1 7.5 14 C7.4 11.6 9 11 9.3 8.8 C10.6 9.6 11 10.6 11 11.8 C12.4 10 12.8 7.4 12.6 5 Z",
  all_levels: "M6 17 V13 H9 V17 Z M10.5 17 V10 H13.5 V17 Z M15 17 V7 H18 V17 Z",
  first_win: "M10 8.5 L12.5 6.5 H14 V16 H16 V17.8 H9.6 V16 H11.6 V9.6 L10 10.4 Z",
  only_win: "M12 6 C14 9 17.5 10.4 17.5 13.2 A2.7 2.7 0 0 1 12.8 14.8 L13.8 18 H10.2 L11.2 14.8 A2.7 2.7 0 0 1 6.5 13.2 C6.5 10.4 10 9 12 6 Z",
};

/** @param {string} kind of badge, or "shield" @returns {SVGSVGElement} */
export function makeMedal(kind) {
  const root = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ class: `medal ${kind}`, viewBox: "0 0 24 24", "aria-hidden": "true" })) root.setAttribute(name, value);
  for (const [part, shape] of [["ground", kind === "shield" ? SHIELD : MEDAL], ["sign", SIGNS[kind] ?? SIGNS.shield]]) {
    const drawn = document.createElementNS(SVG, "path");
    drawn.setAttribute("class", part);
    drawn.setAttribute("d", shape);
    root.append(drawn);
  }
  return root;
}
