// Takes the place of d3-color, which the libraries of the drawing need only to animate colours. Nothing here does that.

function none(): null {
  return null;
}

export { none as color, none as rgb, none as hsl, none as lab, none as lch, none as hcl, none as gray, none as cubehelix };
