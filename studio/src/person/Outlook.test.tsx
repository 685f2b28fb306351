import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { Decision, GiveBackPreview } from "../api/types";
import { Outlook } from "./Outlook";

const decision = (seq: number, moment: string, outcome: string) => ({ seq, node: "desk", moment, candidates: [{ id: "solved", target: "done", outcome }] }) as unknown as Decision;

it("shows a moment once that is judged again with the same outcomes", () => {
  const decisions = [decision(1, "after", "unknown"), decision(2, "after", "unknown"), decision(3, "after", "taken")];
  const shown = renderToStaticMarkup(<Outlook preview={{ decisions } as unknown as GiveBackPreview} />);
  expect(shown.match(/solved → done/g)).toHaveLength(2);
});
