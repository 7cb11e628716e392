/**
 * Small functions that make and change elements.
 *
 * @typedef {Node|string|number|null|false|undefined} Child values that are null, undefined, "" or false are left out
 * @typedef {{[Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => unknown}} Listeners by the name of the event
 * @typedef {{on?: Listeners, [attribute: string]: string|number|boolean|null|undefined|Listeners}} Properties
 */

/**
 * Make an element with attributes and children. An attribute with the value true has only its name. An attribute that is null,
 * undefined or false is left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...(Child|Child[])} children
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  const { on = {}, ...attributes } = properties;
  for (const [event, listener] of Object.entries(on)) made.addEventListener(event, /** @type {EventListener} */ (listener));
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
  fill(made, ...children);
  return made;
}

/**
 * The first element inside `root` that a selector finds. Throws if there is none.
 * @param {ParentNode} root
 * @param {string} selector
 */
export function findElement(root, selector) {
  const node = /** @type {HTMLElement|null} */ (root.querySelector(selector));
  if (!node) throw new Error(`There is no ${selector}.`);
  return node;
}

/** A link to another page of the client. @param {string} href @param {Child|Child[]} text @param {string} [className] */
export function link(href, text, className) {
  return element("a", { href, class: className }, text);
}

/**
 * A button. It cannot be pressed again while the work that it started goes on.
 * @param {Child} text
 * @param {(event: MouseEvent) => unknown} pressed
 */
export function button(text, pressed, className = "button") {
  return element("button", { type: "button", class: className, on: { click: oneAtATime(pressed) } }, text);
}

/**
 * Grey a button, or end that. A greyed button can still be pressed: it then says why it does nothing.
 * @param {HTMLButtonElement} made
 * @param {boolean} greyed
 */
export function setGreyed(made, greyed) {
  made.setAttribute("aria-disabled", String(greyed));
}

/**
 * Let a problem of a form disappear as soon as something is entered, or when the browser points at a field by itself. Otherwise
 * it would still be there beside the next problem.
 * @param {HTMLElement} form
 * @param {HTMLElement} problem the element with its text
 */
export function clearOnInput(form, problem) {
  for (const event of ["input", "invalid"]) form.addEventListener(event, () => fill(problem), { capture: true });
}

/**
 * A function that does nothing while the promise from its last call is pending, so that a double click counts once.
 * @template {unknown[]} Given
 * @template Answer
 * @param {(...given: Given) => Answer} run
 * @returns {(...given: Given) => Answer|Promise<unknown>|undefined}
 */
export function oneAtATime(run) {
  let open = false;
  return (...given) => {
    if (open) return undefined;
    const answer = run(...given);
    if (!(answer instanceof Promise)) return answer;
    open = true;
    return answer.finally(() => {
      open = false;
    });
  };
}

/**
 * HTML from our own server as nodes. Style attributes become classes first, because the content security policy forbids them.
 * @param {string} markup
 */
export function fromMarkup(markup) {
  const plain = markup.replace(/ style="text-align:\s*(left|right|center);?"/g, ' class="align-$1"');
  const template = document.createElement("template");
  template.innerHTML = plain;
  return template.content;
}

/** Replace the children of an element. @param {Element} parent @param {...(Child|Child[])} children */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat()
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "")
    .map((child) => (child instanceof Node ? child : String(child))));
}

/**
 * Change what is in an element, and keep the focus at the same place.
 * @param {Element} parent
 * @param {() => void} change
 */
export function keepFocus(parent, change) {
  const stops = () => /** @type {HTMLElement[]} */ ([...parent.querySelectorAll("a[href], button, input, select, [tabindex]")]);
  const held = document.activeElement;
  const at = stops().findIndex((stop) => stop === held);
  change();
  if (at < 0 || document.activeElement === held) return;
  const now = stops();
  (now.find((stop) => stop === held) ?? now[Math.min(at, now.length - 1)])?.focus({ preventScroll: true });
}
