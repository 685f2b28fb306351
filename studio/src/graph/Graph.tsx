import "./graph.css";

/** The flow as a drawing, with the path of the open conversation. */
export function Graph() {
  return null;
}
