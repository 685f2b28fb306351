/**
 * Splits Python source into lines of tokens for highlighting by weight and grey.
 *
 * It knows strings (also over several lines), comments, numbers and keywords. Everything else is plain text, and the
 * concatenated texts of a line are always the line itself.
 */

export type TokenKind = "plain" | "keyword" | "string" | "comment" | "number";

export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS = new Set(
  (
    "False None True and as assert async await break case class continue def del elif else except finally for from " +
    "global if import in is lambda match nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

const STRING_START = /^[rbuft]{0,3}("""|'''|"|')/i;
const NUMBER = /^(?:0[xob][\da-f_]+|\d[\d_]*(?:\.[\d_]*)?(?:e[+-]?\d+)?j?)/i;
const WORD = /^[\p{L}_][\p{L}\p{N}_]*/u;
const OTHER = /^(?:\s+|[^\p{L}\p{N}_"'#\s]+)/u;

/** Returns the tokens of each line. */
export function tokenizePython(source: string): Token[][] {
  const lines: Token[][] = [];
  let openQuote = "";
  for (const line of source.replace(/\n$/, "").split("\n")) {
    const [tokens, quote] = tokenizeLine(line, openQuote);
    lines.push(tokens);
    openQuote = quote;
  }
  return lines;
}

/** Returns the tokens of a line and the quote of a string that continues on the next line. */
function tokenizeLine(line: string, openQuote: string): [Token[], string] {
  const tokens: Token[] = [];
  const push = (kind: TokenKind, text: string): void => {
    if (text) tokens.push({ kind, text });
  };
  let rest = line;
  if (openQuote) {
    const end = endOfString(rest, openQuote, 0);
    push("string", rest.slice(0, end < 0 ? rest.length : end));
    if (end < 0) return [tokens, openQuote];
    rest = rest.slice(end);
  }
  while (rest) {
    const quote = STRING_START.exec(rest);
    if (quote) {
      const mark = quote[1] ?? '"';
      const end = endOfString(rest, mark, quote[0].length);
      push("string", rest.slice(0, end < 0 ? rest.length : end));
      if (end < 0) return [tokens, mark.length === 3 || rest.endsWith("\\") ? mark : ""];
      rest = rest.slice(end);
      continue;
    }
    const [kind, text] = nextToken(rest);
    push(kind, text);
    rest = rest.slice(text.length);
  }
  return [tokens, ""];
}

function nextToken(rest: string): [TokenKind, string] {
  if (rest.startsWith("#")) return ["comment", rest];
  const word = WORD.exec(rest)?.[0];
  if (word) return [KEYWORDS.has(word) ? "keyword" : "plain", word];
  const number = NUMBER.exec(rest)?.[0];
  if (number) return ["number", number];
  return ["plain", OTHER.exec(rest)?.[0] ?? rest.charAt(0)];
}

/** Returns the position behind the closing quote, or -1 if the string does not end on this line. */
function endOfString(text: string, quote: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return -1;
}
