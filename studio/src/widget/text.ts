/** Renders the text of a message as DOM nodes: paragraphs, lists, emphasis, code and links. It never sets HTML. */

const INLINE = /(\*\*[^*\n]+\*\*|\*[^*\n]+\*|`[^`\n]+`|\[[^\]\n]+\]\(https?:\/\/[^\s)]+\))/;
const BULLET = /^\s*[-*] +/;
const HEADING = /^#{1,6}\s+(.+)$/;
const RULE = /^-{3,}$/;
const NUMBER = /^\s*\d+[.)] +/;

/** Return the nodes of a text. */
export function rendered(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const block of text.split(/\n{2,}/)) {
    const lines = block.split("\n").filter((line) => line.trim() !== "");
    for (const run of runsOf(lines)) fragment.append(blockOf(run));
  }
  return fragment;
}

const markOf = (line: string): RegExp | undefined => [BULLET, NUMBER].find((pattern) => pattern.test(line));

/** Lines in runs: the items of a list, and what stands before and after it. A heading and a rule stand alone. */
function runsOf(lines: string[]): string[][] {
  const runs: string[][] = [];
  lines.forEach((line, at) => {
    const before = lines[at - 1];
    const isNew = before === undefined || markOf(before) !== markOf(line) || [before, line].some((one) => HEADING.test(one) || RULE.test(one));
    if (isNew) runs.push([]);
    runs.at(-1)?.push(line);
  });
  return runs;
}

function blockOf(lines: string[]): HTMLElement {
  const mark = [BULLET, NUMBER].find((pattern) => lines.every((line) => pattern.test(line)));
  if (mark !== undefined) {
    const list = document.createElement(mark === BULLET ? "ul" : "ol");
    for (const line of lines) {
      const item = document.createElement("li");
      item.append(...inline(line.replace(mark, "")));
      list.append(item);
    }
    return list;
  }
  if (lines.length === 1 && RULE.test(lines[0] ?? "")) return document.createElement("hr");
  const heading = lines.length === 1 ? HEADING.exec(lines[0] ?? "") : null;
  if (heading) {
    const element = document.createElement("h3");
    element.append(...inline(heading[1] ?? ""));
    return element;
  }
  const paragraph = document.createElement("p");
  lines.forEach((line, index) => {
    if (index > 0) paragraph.append(document.createElement("br"));
    paragraph.append(...inline(line));
  });
  return paragraph;
}

function inline(line: string): Node[] {
  return line
    .split(INLINE)
    .filter((part) => part !== "")
    .map((part) => (INLINE.test(part) ? marked(part) : document.createTextNode(part)));
}

function marked(part: string): Node {
  if (part.startsWith("[")) {
    const end = part.indexOf("](");
    const link = document.createElement("a");
    link.textContent = part.slice(1, end);
    link.href = part.slice(end + 2, -1);
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    return link;
  }
  const width = part.startsWith("**") ? 2 : 1;
  const element = document.createElement(part.startsWith("`") ? "code" : width === 2 ? "strong" : "em");
  element.textContent = part.slice(width, -width);
  return element;
}
