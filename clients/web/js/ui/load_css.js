/** Loads style sheets that only some pages need, when the first of these pages is opened. */
import { isBundled } from "../settings/served.js";
import { element } from "./dom.js";

/** @type {Map<string, Promise<void>>} */
const loadedSheets = new Map();

/**
 * Load a style sheet once. The promise is fulfilled when it is loaded or has failed, so that the page can be drawn.
 * @param {string} address
 * @returns {Promise<void>}
 */
export function loadCss(address) {
  if (isBundled) return Promise.resolve();
  const coming = loadedSheets.get(address) ?? new Promise((done) => {
    document.head.append(element("link", { rel: "stylesheet", href: address, on: { load: () => done(), error: () => done() } }));
  });
  loadedSheets.set(address, coming);
  return coming;
}
