import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import type { Decision, GiveBackPreview } from "../api/types";
import { Outlook } from "./Outlook";

const decision = (seq: number, moment: string, outcome: string) => ({ seq, node: "desk", moment, candidates: [{ id: "solved", target: "all_done", because: "it is solved", outcome }] }) as unknown as Decision;

it("shows a moment once that is judged again with the same outcomes, with names and reasons", () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const decisions = [decision(1, "after", "unknown"), decision(2, "after", "unknown"), decision(3, "after", "taken")];
  const place = document.createElement("div");
  act(() => createRoot(place).render(<Outlook preview={{ decisions } as unknown as GiveBackPreview} />));
  expect(place.textContent?.match(/→ All done it is solved/g)).toHaveLength(2);
});
