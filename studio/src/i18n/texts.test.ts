// @vitest-environment node
import { afterEach, describe, expect, it } from "vitest";
import { editsOf, files, keysOf } from "../../scripts/texts.mjs";
import { GERMAN } from "./de";
import { activityText, headlineOf } from "./texts";
import { setTexts, t, tn } from "./t";

const sources = import.meta.glob<string>("../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
const modules = files().map((name) => ({ name, code: sources[`../${name}`] ?? sources[`./${name.slice("i18n/".length)}`] ?? "" }));
const used = new Set(modules.flatMap(({ name, code }) => [...keysOf(code, name)]));
const holes = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "").sort();

afterEach(() => setTexts("en", {}));

describe("the texts of the page", () => {
  it("all stand in the table: `node scripts/texts.mjs --write` puts new ones there", () => {
    expect(modules.flatMap(({ name, code }) => editsOf(code, name).map(({ key }) => `${name}: ${key}`))).toEqual([]);
  });
  it("have a German one each, with the same values, and none that is not used", () => {
    expect(used.size).toBeGreaterThan(900);
    expect([...used].filter((key) => GERMAN[key] === undefined)).toEqual([]);
    expect(Object.keys(GERMAN).filter((key) => !used.has(key))).toEqual([]);
    expect(Object.entries(GERMAN).filter(([key, text]) => holes(key).join() !== holes(text).join() || !text.trim())).toEqual([]);
  });
  it("finds texts in elements, attributes, conditions and templates, and nothing else", () => {
    const code = 'export const A = ({ n, on }: P) => <b className="one two" aria-label={on ? "Open now" : `Turn ${n}`} data-x="Not read">Asks <i>{n}</i> times</b>;';
    expect(editsOf(code, "a.tsx").map(({ next }) => next)).toEqual(['on ? t("Open now") : t("Turn {n}", { n })', '{tx("Asks {n} times", { n: <i>{n}</i> })}'].map((text) => expect.stringContaining(text)));
  });
  it("are shown with their values in the language of the page", () => {
    expect(t("{n} of {all}", { n: 1, all: 2 })).toBe("1 of 2");
    setTexts("de", GERMAN);
    expect(tn(3, "1 question to go", "{n} questions to go")).toBe("Noch 3 Fragen");
    expect(activityText({ kind: "ended", text: "Ended", inside: "", texts: { en: "Ended", de: "Beendet" }, since_ms: null })).toBe("Beendet");
    const since = new Date();
    since.setHours(18, 45);
    expect(activityText({ kind: "with_person", text: "With Lena since 17:45", inside: "", texts: { en: "With Lena", de: "Bei Lena" }, since_ms: since.getTime() })).toBe("Bei Lena seit 18:45 Uhr");
    expect(headlineOf({ headline: "Works" })).toBe("Works");
  });
});
