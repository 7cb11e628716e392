/** Making elements: small helpers for the pages. */

/**
 * An element with properties and children. `on` holds listeners by event name; a property with a dash, or `role`, `href`
 * and the like, becomes an attribute; `null` and `false` children are left out.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node|string|number|null|false|undefined|Node[])} children
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (name === "class") {
      made.className = value;
    } else {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

/** A link followed inside the page. @param {string} href */
export function link(href, text, className = undefined) {
  return element("a", { href, class: className }, text);
}

/** A button. @param {string} text @param {() => void} pressed */
export function button(text, pressed, className = "button") {
  return element("button", { type: "button", class: className, on: { click: pressed } }, text);
}

/**
 * Markup made by our own server, as nodes. Style attributes, which the page's policy forbids, become classes first.
 * @param {string} markup
 */
export function fromMarkup(markup) {
  const plain = markup.replace(/ style="text-align:\s*(left|right|center);?"/g, ' class="align-$1"');
  const template = document.createElement("template");
  template.innerHTML = plain;
  return template.content;
}

/** Put other children into an element. @param {Element} parent */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter(Boolean));
}
