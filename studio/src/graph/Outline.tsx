import "./outline.css";

/** The same as the graph, as a text tree. */
export function Outline() {
  return null;
}
