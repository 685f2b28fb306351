import { useEffect, useRef, useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { WhatIfResult } from "../api/types";
import { setWhatIf } from "../data/whatIf";

const PAUSE = 350;

export interface Question {
  conversation: string;
  turn: number;
  isWhole: boolean;
  values: Record<string, unknown>;
  rules: Record<string, string>;
}

export interface Answer {
  result: WhatIfResult | null;
  problem: Problem | null;
  isJudging: boolean;
}

export const isEmptyQuestion = (question: Question): boolean => Object.keys(question.values).length + Object.keys(question.rules).length === 0;

/** Judges again when the question changes, a moment after the last key. Chat, graph and timeline get the result. */
export function useWhatIfAnswer(question: Question): Answer {
  const [answer, setAnswer] = useState<Answer>({ result: null, problem: null, isJudging: false });
  const key = JSON.stringify(question);
  const latest = useRef(question);
  latest.current = question;
  useEffect(() => {
    const { conversation, turn, isWhole, values, rules } = latest.current;
    if (isEmptyQuestion(latest.current)) {
      setAnswer({ result: null, problem: null, isJudging: false });
      setWhatIf(null);
      return;
    }
    let isOld = false;
    setAnswer((now) => ({ ...now, isJudging: true }));
    const timer = setTimeout(() => {
      api.whatIf(conversation, { ...(isWhole ? {} : { turn }), values, rules }).then(
        (result) => {
          if (isOld) return;
          setAnswer({ result, problem: null, isJudging: false });
          setWhatIf({ conversation, turn, values, rules, result });
        },
        (error: unknown) => {
          if (!isOld) setAnswer({ result: null, problem: asProblem(error), isJudging: false });
        },
      );
    }, PAUSE);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [key]);
  useEffect(() => () => setWhatIf(null), []);
  return answer;
}
