/** Makes the elements of which the widget is built. */

const SVG = "http://www.w3.org/2000/svg";
const PATHS = {
  chat: "M4 5h16v11H9l-5 4z",
  close: "M5 5l14 14M19 5L5 19",
  send: "M12 19V5M6 11l6-6 6 6",
};

export function element(tag: "div" | "section" | "p" | "dl" | "dt" | "dd" | "q", className: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className.trim();
  return made;
}

export function iconButton(className: string, icon: keyof typeof PATHS, label: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = className;
  button.setAttribute("aria-label", label);
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", fill: "none", "aria-hidden": "true" }))
    svg.setAttribute(name, value);
  for (const [name, value] of Object.entries({ d: PATHS[icon], stroke: "currentColor", "stroke-width": "2" }))
    path.setAttribute(name, value);
  svg.append(path);
  button.append(svg);
  return button;
}
