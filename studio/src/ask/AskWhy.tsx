import { askWhy } from "./question";

/** A small button beside a name: it asks why this is as it is. */
export function AskWhy({ subject, name }: { subject: string; name: string }) {
  return (
    <button type="button" className="askwhy" onClick={() => askWhy(subject)} aria-label={`Why is ${name} so?`} title={`Why is ${name} so?`}>
      why
    </button>
  );
}
