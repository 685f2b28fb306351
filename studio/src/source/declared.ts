// Where a name is declared, and where a way leads.

import type { FlowPage, SourceFile } from "../api/types";
import { addressOf } from "../graph/level";
import type { PlacedPart } from "./places";

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The file and line in which a name is declared: a node, or else what stands first in a line under this name. */
export function declarationOf(name: string, parts: readonly PlacedPart[], files: readonly SourceFile[], open: SourceFile): { file: string; line: number } | null {
  const nodes = parts.filter((part) => part.node && addressOf(part.node) === name);
  const inner = nodes.length ? nodes : parts.filter((part) => part.node && addressOf(part.node).endsWith(`/${name}`));
  const node = inner.find((part) => part.file === open.file) ?? inner[0];
  if (node) return { file: node.file, line: node.line };
  const last = name.split(".").at(-1) ?? "";
  if (!last) return null;
  const declaring = new RegExp(`^\\s*(?:- )?(?:[A-Za-z_]\\w*\\s+)?["']?${escaped(last)}["']?\\s*(?:[<{:;]|"|$)`);
  for (const file of [open, ...files.filter((one) => one !== open)]) {
    const line = file.text.split("\n").findIndex((text) => declaring.test(text));
    if (line >= 0) return { file: file.file, line: line + 1 };
  }
  return null;
}

/** Along a way: from a node to the first transition that leaves it, from a transition to where it leads. */
export function alongWay(part: PlacedPart, page: FlowPage, parts: readonly PlacedPart[]): PlacedPart | null {
  if (part.node) {
    const name = addressOf(part.node);
    return parts.find((one) => one.edge?.node === name) ?? null;
  }
  const level = page.levels.find(({ scope }) => scope === part.scope);
  const target = level?.graph.nodes.find((node) => node.id === part.edge?.target);
  return target ? (parts.find((one) => one.node && addressOf(one.node) === addressOf(target)) ?? null) : null;
}
