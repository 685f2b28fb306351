/** Compares two texts line by line (the algorithm of Myers), for the prompt and its predecessor. */

export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}

const MOST_EDITS = 400;

/** Returns the lines of both texts in order. Removed lines stand before the added ones that replace them. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const head = commonPrefix(before, after);
  const tail = commonSuffix(before, after, head);
  const middle = shortestEdit(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  const same = (text: string): DiffLine => ({ kind: "same", text });
  return [
    ...after.slice(0, head).map(same),
    ...removedFirst(middle),
    ...after.slice(after.length - tail).map(same),
  ];
}

/** Returns the differences of two texts. */
export function diffTexts(before: string, after: string): DiffLine[] {
  return diffLines(before.split("\n"), after.split("\n"));
}

/** Shortens runs of equal lines to `context` lines at each end; `null` marks lines that are left out. */
export function foldSame(lines: readonly DiffLine[], context: number): (DiffLine | null)[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some((line) => line.kind !== "same"),
  );
  const found: (DiffLine | null)[] = [];
  lines.forEach((line, at) => {
    if (isNear[at]) found.push(line);
    else if (found.at(-1) !== null) found.push(null);
  });
  return found;
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n += 1;
  return n;
}

function commonSuffix(a: readonly string[], b: readonly string[], head: number): number {
  let n = 0;
  while (n < a.length - head && n < b.length - head && a[a.length - 1 - n] === b[b.length - 1 - n]) n += 1;
  return n;
}

/** Returns a shortest list of edits; beyond `MOST_EDITS`, all old lines and then all new ones. */
function shortestEdit(a: readonly string[], b: readonly string[]): DiffLine[] {
  const trace = forwardPass(a, b);
  if (trace === null) {
    return [
      ...a.map((text): DiffLine => ({ kind: "removed", text })),
      ...b.map((text): DiffLine => ({ kind: "added", text })),
    ];
  }
  return backtrack(a, b, trace);
}

type Furthest = Map<number, number>;

const isDown = (k: number, edits: number, furthest: Furthest): boolean =>
  k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));

/** Returns, per number of edits, the furthest position on each diagonal before that number was applied. */
function forwardPass(a: readonly string[], b: readonly string[]): Furthest[] | null {
  const furthest: Furthest = new Map([[1, 0]]);
  const trace: Furthest[] = [];
  const most = Math.min(a.length + b.length, MOST_EDITS);
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(new Map(furthest));
    for (let k = -edits; k <= edits; k += 2) {
      let x = isDown(k, edits, furthest) ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return trace;
    }
  }
  return null;
}

function backtrack(a: readonly string[], b: readonly string[], trace: readonly Furthest[]): DiffLine[] {
  const found: DiffLine[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const furthest = trace[edits] ?? new Map<number, number>();
    const k = x - y;
    const fromK = isDown(k, edits, furthest) ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (furthest.get(fromK) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      found.push({ kind: "same", text: a[x] ?? "" });
    }
    if (edits === 0) break;
    if (x === fromX) found.push({ kind: "added", text: b[(y -= 1)] ?? "" });
    else found.push({ kind: "removed", text: a[(x -= 1)] ?? "" });
  }
  return found.reverse();
}

/** Moves removed lines before the added lines of the same block. */
function removedFirst(lines: readonly DiffLine[]): DiffLine[] {
  const found: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const line of lines) {
    if (line.kind === "added") added.push(line);
    else {
      if (line.kind === "same") {
        found.push(...added);
        added = [];
      }
      found.push(line);
    }
  }
  return [...found, ...added];
}
