/** Style sheets that only some pages need, brought when the first of them is opened. */
import { element } from "./dom.js";

/** @type {Map<string, Promise<void>>} */
const loadedSheets = new Map();

/** Bring a style sheet, once; a page is drawn when it is there, or cannot be had. @param {string} address @returns {Promise<void>} */
export function loadCss(address) {
  const coming = loadedSheets.get(address) ?? new Promise((done) => {
    document.head.append(element("link", { rel: "stylesheet", href: address, on: { load: () => done(), error: () => done() } }));
  });
  loadedSheets.set(address, coming);
  return coming;
}
