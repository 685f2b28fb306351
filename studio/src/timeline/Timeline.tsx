import "./timeline.css";

/** The dock: transport, position, and a lane per node with the path and its decisions. */
export function Timeline() {
  return null;
}
