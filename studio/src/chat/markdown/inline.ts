/** A piece of a line of Markdown. Unknown or unsafe markup stays text. */
export type Inline =
  | { type: "text"; text: string }
  | { type: "code"; text: string }
  | { type: "strong" | "em" | "del"; children: Inline[] }
  | { type: "link"; to: string; children: Inline[] }
  | { type: "break" };

const SAFE = /^(https?:|mailto:)/i;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const DEPTH = 12;
const LONGEST = 2000; // emphasis ends soon or is none: this keeps the time linear

/** An address that may be a link: http, https and mail only. */
export function safeAddress(address: string): string | null {
  const trimmed = address.trim();
  return SAFE.test(trimmed) && !/[\u0000-\u0020\u007f"<>\\^`{|}]/.test(trimmed) ? trimmed : null;
}

const MARKS: readonly { mark: string; type: "strong" | "em" | "del" }[] = [
  { mark: "**", type: "strong" },
  { mark: "__", type: "strong" },
  { mark: "~~", type: "del" },
  { mark: "*", type: "em" },
  { mark: "_", type: "em" },
];

/** Parse the text of a paragraph, a heading or a cell. */
export function parseInline(text: string, depth = 0): Inline[] {
  const out: Inline[] = [];
  let plain = "";
  const flush = () => {
    if (plain) out.push({ type: "text", text: plain });
    plain = "";
  };
  let at = 0;
  while (at < text.length) {
    const found = depth < DEPTH ? pieceAt(text, at, depth) : null;
    if (found) {
      flush();
      out.push(...found.pieces);
      at = found.end;
    } else if (text[at] === "\\" && ESCAPABLE.test(text[at + 1] ?? "")) {
      plain += text[at + 1];
      at += 2;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  flush();
  return out;
}

type Found = { pieces: Inline[]; end: number } | null;

function pieceAt(text: string, at: number, depth: number): Found {
  switch (text[at]) {
    case "`":
      return codeAt(text, at);
    case "\n":
      return breakAt(text, at);
    case "!":
      return text[at + 1] === "[" ? linkAt(text, at + 1, depth) : null;
    case "[":
      return linkAt(text, at, depth);
    case "<":
      return autolinkAt(text, at);
    case "*":
    case "_":
    case "~":
      return markedAt(text, at, depth);
    case "h":
      return bareAddressAt(text, at);
    default:
      return null;
  }
}

function codeAt(text: string, at: number): Found {
  const ticks = /^`+/.exec(text.slice(at))?.[0] ?? "`";
  let end = text.indexOf(ticks, at + ticks.length);
  while (end >= 0 && text[end + ticks.length] === "`") end = text.indexOf(ticks, end + ticks.length + 1);
  if (end < 0) return { pieces: [{ type: "text", text: ticks }], end: at + ticks.length };
  const code = text.slice(at + ticks.length, end).replaceAll("\n", " ");
  const trimmed = /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code;
  return { pieces: [{ type: "code", text: trimmed }], end: end + ticks.length };
}

/** A chat keeps the line breaks of its messages. */
const breakAt = (_: string, at: number): Found => ({ pieces: [{ type: "break" }], end: at + 1 });

function linkAt(text: string, at: number, depth: number): Found {
  const match = /^\[((?:[^[\]\\]|\\.|\[[^\]]*\]){0,400})\]\(\s*<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+"[^"]*")?\s*\)/.exec(text.slice(at, at + 3000));
  if (!match) return null;
  const to = safeAddress(match[2] ?? "");
  const children = parseInline(match[1] ?? "", depth + 1);
  return { pieces: to ? [{ type: "link", to, children }] : children, end: at + match[0].length };
}

function autolinkAt(text: string, at: number): Found {
  const match = /^<((?:https?:\/\/|mailto:)[^\s<>]+)>/i.exec(text.slice(at, at + 2000));
  const to = match && safeAddress(match[1] ?? "");
  return match && to ? { pieces: [{ type: "link", to, children: [{ type: "text", text: to }] }], end: at + match[0].length } : null;
}

function bareAddressAt(text: string, at: number): Found {
  if (at > 0 && /\w/.test(text[at - 1] ?? "")) return null;
  const match = /^https?:\/\/[^\s<>"'`]+/i.exec(text.slice(at, at + 2000));
  if (!match) return null;
  const shown = match[0].replace(/[.,;:!?)\]*_~]+$/, "");
  const to = safeAddress(shown);
  return to ? { pieces: [{ type: "link", to, children: [{ type: "text", text: shown }] }], end: at + shown.length } : null;
}

function markedAt(text: string, at: number, depth: number): Found {
  for (const { mark, type } of MARKS) {
    if (!text.startsWith(mark, at)) continue;
    const inner = at + mark.length;
    if (/\s|^$/.test(text[inner] ?? "")) continue;
    const isWord = mark[0] === "_";
    if (isWord && /\w/.test(text[at - 1] ?? "")) continue; // snake_case stays as it is
    const end = closing(text, inner, mark, isWord);
    if (end > inner) return { pieces: [{ type, children: parseInline(text.slice(inner, end), depth + 1) }], end: end + mark.length };
  }
  return null;
}

function closing(text: string, from: number, mark: string, isWord: boolean): number {
  for (let end = text.indexOf(mark, from + 1); end >= 0 && end - from < LONGEST; end = text.indexOf(mark, end + 1)) {
    if (/\s|\\/.test(text[end - 1] ?? "")) continue;
    if (isWord && /\w/.test(text[end + mark.length] ?? "")) continue;
    if (mark.length === 1 && (text[end + 1] === mark || text[end - 1] === mark)) {
      end += 1;
      continue;
    }
    return end;
  }
  return -1;
}
