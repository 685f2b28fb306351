// The tokens of a DyGram document, as docs/dygram.md has them. It colours also what the parser would refuse.

import type { StreamParser, StringStream } from "@codemirror/language";

interface State {
  /** The mark that ends the text that is open, or the comment that is: `*`. */
  open: "" | '"' | "'" | "*";
  /** Whether a word here would be the first of a statement. */
  isFirst: boolean;
  /** The type of a node was read: the next word is its name. */
  isName: boolean;
}

/** Words that cannot be names. */
const KEYWORDS = new Set(["machine", "import", "from", "as"]);
/** The types of nodes that mean something. Any other word may be one, too. */
const TYPES = new Set(["task", "state", "init", "context", "data", "input", "output", "result", "entity", "resource", "concept", "tool", "note", "type", "style", "choice", "module"]);
/** The words in an edge that say what it does. */
const EDGE_WORDS = /^(?:when|if|unless|else|catch|error|reads?|writes?|stores?)\b/;
const ATOMS = new Set(["true", "false", "null"]);
const ARROW = /^(?:<--[A-Za-z_]\w*-->|<-->|<\|--|\*-->|o-->|-->|->|=>)/;

function text(stream: StringStream, state: State): string {
  const end = state.open;
  while (!stream.eol()) {
    const mark = stream.next();
    if (end !== "*" && mark === "\\") stream.next();
    else if (end === "*" ? mark === "*" && stream.eat("/") : mark === end) {
      state.open = "";
      break;
    }
  }
  return end === "*" ? "comment" : "string";
}

function word(stream: StringStream, state: State): string | null {
  const found = (stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray)[0];
  const { isFirst, isName } = state;
  state.isFirst = state.isName = false;
  if (KEYWORDS.has(found) && !stream.match(/^\s*:/, false)) return "keyword";
  if (isFirst && stream.match(/^\s*(?:<(?!-|\|)[^{}]*>)?\??\s*:/, false)) return "propertyName";
  if (isFirst && TYPES.has(found) && stream.match(/^\s+[A-Za-z_]/, false)) {
    state.isName = true;
    return "keyword";
  }
  if (isName) return "definition";
  if (ATOMS.has(found)) return "atom";
  return stream.match(/^\s*:/, false) ? "propertyName" : null;
}

function token(stream: StringStream, state: State): string | null {
  if (state.open) return text(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  if (stream.match("/*")) {
    state.open = "*";
    return text(stream, state);
  }
  if (stream.match(ARROW)) return "operator";
  if (stream.match(/^(?:--|-|=)/)) {
    if (stream.match(EDGE_WORDS)) {
      state.isFirst = false;
      return "keyword";
    }
    return "operator";
  }
  const mark = stream.peek() ?? "";
  if (mark === '"' || mark === "'") {
    stream.next();
    state.open = mark;
    state.isFirst = false;
    return text(stream, state);
  }
  if (stream.match(/^@[A-Za-z_]\w*/)) return "annotation";
  if (stream.match(/^#[A-Za-z_]\w*/)) return "annotation";
  if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return "number";
  if (/[A-Za-z_]/.test(mark)) return word(stream, state);
  stream.next();
  if (";{}[,".includes(mark)) state.isFirst = true;
  return null;
}

export const dygram: StreamParser<State> = {
  name: "dygram",
  startState: () => ({ open: "", isFirst: true, isName: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (stream.sol() && !state.open) state.isFirst = true;
    return token(stream, state);
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } } },
};
