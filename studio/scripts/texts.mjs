// The texts of the page: finds those that stand outside of `t()`, and puts them into it.
//   node scripts/texts.mjs                 lists texts outside of t(), and keys without German
//   node scripts/texts.mjs --write FILE…   wraps the texts of files; without files of all
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

const SRC = fileURLToPath(new URL("../src", import.meta.url));
/** Attributes that people read or hear. */
const READ = new Set(["aria-label", "title", "placeholder", "alt", "label", "aria-valuetext", "name", "aside", "why", "term"]);
/** Names of objects' keys and of arguments whose strings are no texts. */
const PLAIN = new Set(["className", "key", "subject", "d", "viewBox", "id", "href", "role", "icon", "look", "lang", "type", "name", "tab", "kind"]);
const WORD = /\p{L}{2,}/u;
const isWords = (text) => WORD.test(text) && !/^(?:turnwise|Bearer )/.test(text.trim()) && !/^\w+:\w+$/.test(text.trim()) && !/^(?:https?:|[\w./#-]+\.(?:yaml|css|js)|--|[MHVC]\d)/.test(text.trim());
/** A string of code that is a text for people: a capital and a small letter first, or several words with a mark between. */
const isSentence = (text) => !/^(?:Bearer|Esc|Alt|Ctrl|Home|Shift|Enter|Escape|Arrow\w+|End|Tab|Space|GMT|Int|Dp|No|Page\w+)\b/.test(text) && /^[A-Z][a-z’']+(?:[ ,.:;?!…].*)?$/su.test(text.trim()) && text.trim().length > 2;

/** Files with texts: no tests, no widget, no generated or translated ones. */
export const files = () =>
  readdirSync(SRC, { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|fixtures|schema\.ts$|^widget|^i18n|\.d\.ts$|example\.ts$|tokenize\.ts$|dygram\.ts$|icons\.tsx$|worker\.ts$/.test(name))
    .sort();

const isNode = (value) => value && typeof value === "object" && typeof value.type === "string";

function* childrenOf(node) {
  for (const [name, value] of Object.entries(node)) {
    if (Array.isArray(value)) for (const one of value) if (isNode(one)) yield [name, one];
    if (isNode(value)) yield [name, value];
  }
}

/** The text of JSX as it is rendered: lines are trimmed and joined by one space; spaces within a line at the ends stay. */
function rendered(raw) {
  const text = raw.split("\n").map((line, at, all) => (at === 0 ? line.replace(/[ \t]+$/, all.length > 1 ? "" : "$&") : at === all.length - 1 ? line.replace(/^[ \t]+/, "") : line.trim())).filter((line, at, all) => line !== "" || all.length === 1).join(" ");
  return text.replace(/&amp;/g, "&").replace(/&nbsp;/g, "\u00a0").replace(/&lt;/g, "<").replace(/&gt;/g, ">");
}

const quote = (text) => JSON.stringify(text);

/** The edits that put the texts of a module into `t()`; each has the text, and what it becomes. */
export function editsOf(code, name) {
  const { program, errors } = parseSync(name, code);
  if (errors.length) throw new Error(`${name}: ${errors[0].message}`);
  const edits = [];
  const source = (node) => code.slice(node.start, node.end);

  const nameOf = (node, taken) => {
    let base = "x";
    if (node.type === "JSXExpressionContainer") return nameOf(node.expression, taken);
    if (node.type === "Identifier") base = node.name;
    else if (node.type === "MemberExpression" && node.property.type === "Identifier") base = node.property.name;
    else if (node.type === "CallExpression") return nameOf(node.arguments[0] ?? node.callee, taken);
    else if (node.type === "ChainExpression" || node.type === "TSNonNullExpression") return nameOf(node.expression, taken);
    else if (node.type === "BinaryExpression") return nameOf(node.left, taken);
    else if (node.type === "JSXElement") {
      const inner = node.children.find((one) => one.type === "JSXExpressionContainer" && one.expression.type !== "JSXEmptyExpression");
      base = inner ? nameOf(inner, new Set()) : (node.openingElement.name.name ?? "x").toLowerCase();
    }
    base = /^\w+$/.test(base) ? base : "x";
    let found = base;
    for (let at = 2; taken.has(found); at += 1) found = `${base}${at}`;
    taken.add(found);
    return found;
  };

  /** The new source of an expression whose strings are texts: in conditions and after && and ||, too. */
  const inner = (node, isShown) => {
    if (node.type === "Literal" && typeof node.value === "string") return (isShown ? isWords(node.value) : isSentence(node.value)) ? `t(${quote(node.value)})` : null;
    if (node.type === "TemplateLiteral" && node.quasis.some((one) => (isShown ? isWords(one.value.cooked) : / \p{L}{2,}|\p{L}{2,} /u.test(one.value.cooked) && isSentence(node.quasis[0].value.cooked || "X")))) {
      const taken = new Set();
      let key = "";
      const values = [];
      node.quasis.forEach((quasi, at) => {
        key += quasi.value.cooked;
        const expression = node.expressions[at];
        if (!expression) return;
        const hole = nameOf(expression, taken);
        key += `{${hole}}`;
        values.push(source(expression) === hole ? hole : `${hole}: ${replaced(expression, true)}`);
      });
      return values.length ? `t(${quote(key)}, { ${values.join(", ")} })` : `t(${quote(key)})`;
    }
    if (node.type === "ConditionalExpression") return both(node, [node.consequent, node.alternate], isShown);
    if (node.type === "LogicalExpression") return both(node, node.operator === "&&" ? [node.right] : [node.left, node.right], isShown);
    if (node.type === "ParenthesizedExpression") return both(node, [node.expression], isShown);
    return null;
  };
  const both = (node, parts, isShown) => {
    const found = parts.map((part) => ({ part, text: inner(part, isShown) })).filter(({ text }) => text);
    if (!found.length) return null;
    return found.reduceRight((text, { part, text: next }) => text.slice(0, part.start - node.start) + next + text.slice(part.end - node.start), source(node));
  };
  /** The source of a node with the edits within it. */
  function replaced(node, isShown) {
    const own = inner(node, isShown);
    if (own) return own;
    const within = [];
    visit(node, within, "shown");
    return within.sort((a, b) => b.start - a.start).reduce((text, edit) => text.slice(0, edit.start - node.start) + edit.next + text.slice(edit.end - node.start), source(node));
  }

  function jsx(node, into) {
    const kids = node.children;
    const isText = (one) => one.type === "JSXText" && isWords(rendered(one.value));
    const isSpace = (one) => one.type === "JSXText" && !one.value.trim();
    const isBreak = (one) => isSpace(one) && one.value.includes("\n");
    const first = kids.findIndex(isText);
    const last = kids.findLastIndex(isText);
    const isFlow = (one) => one.type === "JSXText" || one.type === "JSXExpressionContainer" || (one.type === "JSXElement" && /^(b|code|small|i|kbd|q|span|Link|a|AskWhy|AskName|ConversationName|Duration|NodeName)$/.test(one.openingElement.name.name ?? ""));
    if (first < 0) return kids.forEach((one) => visitChild(one, into));
    if (!kids.slice(first, last + 1).every(isFlow)) {
      for (const one of kids) if (isText(one)) into.push(textEdit([one])); else visitChild(one, into);
      return;
    }
    // a value that stands in the same line as the words belongs to them
    const isValue = (one) => one?.type === "JSXExpressionContainer" && !/^(JSXElement|JSXEmptyExpression|LogicalExpression|ConditionalExpression)$/.test(one.expression.type) && !(one.expression.type === "CallExpression" && /\.map\(/.test(source(one.expression)));
    const isGap = (one) => one?.type === "JSXExpressionContainer" && one.expression.type === "Literal" && !String(one.expression.value).trim();
    let [begin, end] = [first, last];
    if (!isGap(kids[begin - 1]) && isValue(kids[begin - 1]) && !/^\s*\n/.test(kids[begin].value)) begin -= 1;
    if (!isGap(kids[end + 1]) && isValue(kids[end + 1]) && !/\n\s*$/.test(kids[end].value)) end += 1;
    if (end > last && kids[end + 1]?.type === "JSXText" && /^[^\s\p{L}]/u.test(kids[end + 1].value)) end += 1;
    const run = kids.slice(begin, end + 1);
    kids.slice(0, begin).forEach((one) => visitChild(one, into));
    into.push(textEdit(run, isBreak));
    kids.slice(end + 1).forEach((one) => visitChild(one, into));
  }

  function textEdit(run) {
    const taken = new Set();
    let key = "";
    const values = [];
    for (const one of run) {
      if (one.type === "JSXText") key += rendered(one.value);
      else if (one.type === "JSXExpressionContainer" && one.expression.type === "Literal" && typeof one.expression.value === "string") key += one.expression.value;
      else if (one.type === "JSXExpressionContainer" && one.expression.type === "JSXEmptyExpression") continue;
      else {
        const hole = nameOf(one, taken);
        key += `{${hole}}`;
        const value = one.type === "JSXExpressionContainer" ? replaced(one.expression, true) : replaced(one, false);
        values.push(value === hole ? hole : `${hole}: ${value}`);
      }
    }
    const [start, end] = [run[0].start, run.at(-1).end];
    const raw = run[0].type === "JSXText" ? run[0].value : "";
    const tail = run.at(-1).type === "JSXText" ? run.at(-1).value : "";
    const lead = /^\s*/.exec(raw)[0];
    const trail = /\s*$/.exec(tail)[0];
    const before = lead.includes("\n") || lead === "" ? lead : '{" "}';
    const after = trail.includes("\n") || trail === "" ? trail : '{" "}';
    const text = key.trim();
    const call = values.length ? `tx(${quote(text)}, { ${values.join(", ")} })` : `t(${quote(text)})`;
    return { start, end, key: text, next: `${before}{${call}}${after}` };
  }

  function visitChild(node, into) {
    if (node.type === "JSXExpressionContainer") {
      const text = inner(node.expression, true);
      if (text) return into.push({ start: node.expression.start, end: node.expression.end, key: source(node.expression), next: text });
    }
    visit(node, into, "child");
  }

  function visit(node, into, within) {
    if (node.type.startsWith("TS") && !/^TS(As|NonNull|Satisfies)/.test(node.type)) return;
    if (/^(Import|ExportAll|ExportNamed)/.test(node.type) && node.source) return;
    if (node.type === "CallExpression" && node.callee.type === "Identifier" && /^(t|tx|tn)$/.test(node.callee.name)) {
      node.arguments.slice(1).forEach((one) => visit(one, into, ""));
      return;
    }
    if (node.type === "CallExpression" && node.callee.type === "Identifier" && /^(announce|askWhy|shorten|quote)$/.test(node.callee.name) && node.callee.name === "announce") {
      for (const one of node.arguments) {
        const text = inner(one, true);
        if (text) into.push({ start: one.start, end: one.end, key: source(one), next: text }); else visit(one, into, "");
      }
      return;
    }
    if (node.type === "NewExpression" && /Error$/.test(node.callee.name ?? "")) return;
    if (node.type === "BinaryExpression" && /^[=!]==?$/.test(node.operator)) return;
    if (node.type === "SwitchCase") return void node.consequent.forEach((one) => visit(one, into, ""));
    if (node.type === "JSXElement") {
      for (const one of node.openingElement.attributes) visit(one, into, node.openingElement.name.name ?? "");
      return jsx(node, into);
    }
    if (node.type === "JSXFragment") return jsx(node, into);
    if (node.type === "JSXAttribute") {
      const attribute = node.name.name;
      const value = node.value;
      if (!value) return;
      if (READ.has(attribute) && (attribute !== "name" || within === "AskWhy" || within === "Item")) {
        if (value.type === "Literal" && isWords(value.value)) return into.push({ start: value.start, end: value.end, key: value.value, next: `{t(${quote(value.value)})}` });
        if (value.type === "JSXExpressionContainer") {
          const text = inner(value.expression, true);
          if (text) return into.push({ start: value.expression.start, end: value.expression.end, key: source(value.expression), next: text });
        }
      }
      if (value.type === "JSXExpressionContainer" && !PLAIN.has(attribute)) visit(value.expression, into, "");
      return;
    }
    if (node.type === "Property") {
      const key = node.key.name ?? node.key.value;
      if (PLAIN.has(key)) return;
      return visit(node.value, into, "");
    }
    if (node.type === "VariableDeclarator" && /^[A-Z_]*(?:WORD|TEXT|LABEL|TITLE|NO_GUARD|STATUS|SAID|KIND|GROUP|OP)[A-Z_]*$/.test(node.id.name ?? "") && node.init) {
      const shown = (one) => {
        if (one.type === "TSAsExpression" || one.type === "TSSatisfiesExpression") return shown(one.expression);
        if (one.type === "ObjectExpression") return one.properties.forEach((part) => part.value && !PLAIN.has(part.key?.name) && shown(part.value));
        const text = inner(one, true);
        if (text) into.push({ start: one.start, end: one.end, key: source(one), next: text });
        else visit(one, into, "");
      };
      return shown(node.init);
    }
    if (/words\.ts$/.test(name) && (node.type === "ReturnStatement" || node.type === "ArrowFunctionExpression")) {
      const value = node.type === "ReturnStatement" ? node.argument : node.body;
      const text = value && value.type !== "BlockStatement" ? inner(value, true) : null;
      if (text) return void into.push({ start: value.start, end: value.end, key: source(value), next: text });
    }
    const own = node.type === "Literal" || node.type === "TemplateLiteral" ? inner(node, false) : null;
    if (own) return void into.push({ start: node.start, end: node.end, key: source(node), next: own });
    for (const [, child] of childrenOf(node)) visit(child, into, "");
  }

  visit(program, edits, "");
  return edits.sort((a, b) => a.start - b.start);
}

/** The keys of a module: the first argument of each call of t, tx and tn, and both words of a number. */
export function keysOf(code, name) {
  const { program } = parseSync(name, code);
  const found = new Set();
  const walk = (node) => {
    if (node.type === "CallExpression" && node.callee.type === "Identifier" && /^(t|tx|tn)$/.test(node.callee.name)) {
      const texts = node.callee.name === "tn" ? node.arguments.slice(1, 3) : node.arguments.slice(0, 1);
      const add = (one) => {
        if (one.type === "Literal" && typeof one.value === "string") found.add(one.value);
        else if (one.type === "ConditionalExpression") [one.consequent, one.alternate].forEach(add);
      };
      texts.forEach(add);
    }
    for (const [, child] of childrenOf(node)) walk(child);
  };
  walk(program);
  return found;
}

function write(name) {
  const path = join(SRC, name);
  let code = readFileSync(path, "utf8");
  const edits = editsOf(code, path);
  if (!edits.length) return 0;
  for (const edit of [...edits].reverse()) code = code.slice(0, edit.start) + edit.next + code.slice(edit.end);
  const used = ["t", "tx"].filter((one) => new RegExp(`(?<![\\w.])${one}\\(`).test(code));
  const from = relative(dirname(name), name.startsWith("api/") ? "i18n/table" : "i18n/t").replace(/^(?!\.)/, "./"); // the widget has parts of api/
  const known = new RegExp(`import \\{([^}]*)\\} from "${from.replace(/[.]/g, "\\.")}";`).exec(code);
  if (known) {
    const names = [...new Set([...known[1].split(",").map((one) => one.trim()), ...used])].filter(Boolean).sort();
    code = code.replace(known[0], `import { ${names.join(", ")} } from "${from}";`);
  } else {
    const imports = [...code.matchAll(/^import [^;]*;$/gms)];
    const end = imports.length ? imports.at(-1).index + imports.at(-1)[0].length : 0;
    const line = `import { ${used.join(", ")} } from "${from}";`;
    code = end ? `${code.slice(0, end)}\n${line}${code.slice(end)}` : `${line}\n\n${code}`;
  }
  writeFileSync(path, code);
  return edits.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , mode, ...given] = process.argv;
  const names = given.length ? given.map((one) => relative(SRC, one)) : files();
  if (mode === "--write") {
    for (const name of names) {
      const count = write(name);
      if (count) console.log(`${name}: ${count}`);
    }
  } else {
    const german = readFileSync(join(SRC, "i18n/de.ts"), "utf8");
    for (const name of names) {
      const code = readFileSync(join(SRC, name), "utf8");
      for (const { key } of editsOf(code, join(SRC, name))) console.log(`${name}: ${key}`);
      for (const key of keysOf(code, join(SRC, name))) if (!german.includes(`${quote(key)}:`)) console.log(`${name}: no German for ${quote(key)}`);
    }
  }
}
