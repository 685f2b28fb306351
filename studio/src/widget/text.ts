/** Renders the text of a message as DOM nodes: paragraphs, lists, emphasis, code and links. It never sets HTML. */

const INLINE = /(\*\*[^*\n]+\*\*|\*[^*\n]+\*|`[^`\n]+`|\[[^\]\n]+\]\(https?:\/\/[^\s)]+\))/;
const BULLET = /^\s*[-*] +/;
const NUMBER = /^\s*\d+[.)] +/;

/** Return the nodes of a text. */
export function rendered(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const block of text.split(/\n{2,}/)) {
    const lines = block.split("\n").filter((line) => line.trim() !== "");
    if (lines.length > 0) fragment.append(blockOf(lines));
  }
  return fragment;
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
  if (lines.length === 1 && /^-{3,}$/.test(lines[0] ?? "")) return document.createElement("hr");
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
