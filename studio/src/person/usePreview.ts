// What giving back would do with the values of the draft. Asked of the server after each change; nothing is stored.

import { useEffect, useState } from "react";
import { api, type GiveBackInput } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { GiveBackPreview } from "../api/types";

const PAUSE_MS = 200;

export interface Previewed {
  readonly preview: GiveBackPreview | null;
  readonly problem: Problem | null;
  /** True while the answer is about an earlier draft. */
  readonly isOld: boolean;
}

/** Judge a draft. `version` changes when the conversation does. */
export function usePreview(id: string, input: GiveBackInput, version: number): Previewed {
  const question = JSON.stringify([id, input, version]);
  const [answer, setAnswer] = useState<{ question: string; preview: GiveBackPreview | null; problem: Problem | null }>({ question: "", preview: null, problem: null });
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      api.previewGiveBack(id, input).then(
        (preview) => isCurrent && setAnswer({ question, preview, problem: null }),
        (error: unknown) => isCurrent && setAnswer((now) => ({ question, preview: now.preview, problem: asProblem(error) })),
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // the question is the input as text
  }, [question]);
  return { preview: answer.preview, problem: answer.problem, isOld: answer.question !== question };
}
