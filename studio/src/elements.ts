// Elements of HTML and SVG in one call each.

type Child = Node | string | null | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

const SVG = "http://www.w3.org/2000/svg";

/** An element of HTML. An attribute that is `false`, null or undefined is left out. */
export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((one): one is Node | string => one !== null && one !== undefined));
  return element;
}

/** A button that calls `action`. */
export function button(label: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = html("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", action);
  return made;
}
