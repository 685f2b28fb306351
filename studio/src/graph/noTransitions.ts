// Takes the place of d3-transition, which d3-zoom needs only to animate: the drawing moves at once.
import { selection } from "d3-selection";

/** Stops a transition; there is none. */
export function interrupt(): void {}

selection.prototype.interrupt = function () {
  return this;
};
