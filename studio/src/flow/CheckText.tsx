// The text of a page about a check: headings, paragraphs and examples.

interface Section {
  readonly kind: "heading" | "text" | "example";
  readonly text: string;
}

/** Split a page into examples and the text between them. */
export function sectionsOf(text: string): Section[] {
  return text.split(/^```\w*\n([\s\S]*?)^```$/m).flatMap((part, place): Section[] => {
    if (place % 2) return [{ kind: "example", text: part.replace(/\n$/, "") }];
    return part
      .split(/\n\s*\n/)
      .map((one) => one.trim())
      .filter(Boolean)
      .map((one) => (one.startsWith("#") ? { kind: "heading", text: one.replace(/^#+\s*/, "") } : { kind: "text", text: one }));
  });
}

/** The page as elements. */
export function CheckText({ text }: { text: string }) {
  return (
    <>
      {sectionsOf(text).map((section, place) => {
        if (section.kind === "heading") return <h3 key={place}>{section.text}</h3>;
        if (section.kind === "example") return <pre key={place}>{section.text}</pre>;
        return <p key={place}>{inline(section.text)}</p>;
      })}
    </>
  );
}

function inline(text: string) {
  return text.split(/`([^`]+)`/).map((part, place) => (place % 2 ? <code key={place}>{part}</code> : part.replaceAll("*", "")));
}
