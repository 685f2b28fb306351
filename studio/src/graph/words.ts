// The words on the nodes and labels of the drawing, and in the outline.

import type { GraphEdge, GraphNode } from "../api/types";
import { OUTCOME_WORD } from "../ui/OutcomeMark";
import { turnsText, type EdgeStanding, type NodeStanding } from "./standing";
import { t, tn } from "../i18n/t";
import { inWords, outcomeInWords } from "../data/names";
import { getSettings } from "../data/settings";
import { isPlace } from "./kinds";

const WORK: Readonly<Record<string, string>> = {
  say: t("fixed text"),
  prompt: t("model speaks"),
  form: t("form"),
  tool: t("tool"),
  scope: t("inner conversation"),
  person: t("a person speaks"),
  none: t("passes on"),
};

const MARK_WORDS: Readonly<Record<string, string>> = { any: t("any step"), stay: t("stays") };

/** What a node is called: its title, or its name where technical details are shown. */
export function nodeName(node: GraphNode): string {
  if (getSettings().isTechnical) return node.name;
  return isPlace(node) ? node.title || inWords(node.name) : (MARK_WORDS[node.kind] ?? node.name);
}

/** What a transition is called: its id in words, or its id where technical details are shown. */
export const edgeName = ({ transition }: GraphEdge): string => (getSettings().isTechnical ? transition : inWords(transition.split("/").at(-1) ?? transition));

/** What a mark says: `end: completed`, `any step`. */
export const markWords = (node: GraphNode): string => (node.kind === "end" ? t("end: {name}", { name: outcomeInWords(node.name) }) : (MARK_WORDS[node.kind] ?? node.name));

/** What a node does, in a few words: `model speaks, 4 fields`. */
export function workText(node: GraphNode): string {
  const fields = node.fields?.length ?? 0;
  const work = WORK[node.kind] ?? node.kind;
  if (fields > 0) return `${work}, ${tn(fields, "1 field", "{n} fields")}`;
  const tool = node.remarks?.find((remark) => remark.startsWith("uses "));
  return tool ? `${work}, ${tool}` : work;
}

/** The turns in which a conversation was in a node. */
export function visitsText(standing: NodeStanding): string {
  return standing.turns.length ? turnsText(standing.turns) : t("not visited");
}

/** The text of a label in two parts: the outcome, and what else there is to know about it. */
export interface EdgeWords {
  readonly word: string;
  readonly more: string;
}

/** How a transition stands: `unknown`, `taken in turn 3`, `not judged`, `timer, in 30 min`. */
export function edgeWords(edge: GraphEdge, standing: EdgeStanding): EdgeWords {
  const never = standing.isNeverTrue ? t(", 0 of {judged} true", { judged: standing.judged }) : "";
  if (standing.isNow) {
    const earlier = standing.outcome === "taken" ? standing.taken.slice(0, -1) : standing.taken;
    const taken = earlier.length ? standing.outcome === "taken" ? t(", and in {turns}", { turns: turnsText(earlier, 3) }) : t(", taken in {turns}", { turns: turnsText(earlier, 3) }) : "";
    return { word: word(standing), more: taken + never };
  }
  if (standing.taken.length) return { word: OUTCOME_WORD.taken, more: t(" in {turns}", { turns: turnsText(standing.taken, 3) }) + never };
  if (standing.outcome !== "none") return { word: word(standing), more: never || t(" in turn {turn}", { turn: standing.turn }) };
  if (edge.is_timer) return { word: "", more: t("timer") + (edge.remark ? `, ${edge.remark}` : "") };
  return { word: "", more: t("not judged") + never };
}

function word(standing: EdgeStanding): string {
  return OUTCOME_WORD[standing.outcome];
}

/** The icon of a label: the outcome now, else that it was taken, else the last one; a clock for a timer. */
export function edgeIcon(edge: GraphEdge, standing: EdgeStanding): "clock" | EdgeStanding["outcome"] {
  if (standing.isNow) return standing.outcome;
  if (standing.taken.length) return "taken" as const;
  if (standing.outcome === "none" && edge.is_timer) return "clock" as const;
  return standing.outcome;
}

/** Where a transition leads: `ineligible`, `end: completed`. */
export function targetText(edge: GraphEdge, nodes: ReadonlyMap<string, GraphNode>): string {
  const target = nodes.get(edge.target);
  if (!target) return edge.target;
  return isPlace(target) ? nodeName(target) : markWords(target);
}

/** What a question about a transition names; a timer is asked about as one. */
export const edgeSubject = (edge: GraphEdge): string => `${edge.moment === "timer" ? "timer" : "transition"} ${edge.transition}`;
