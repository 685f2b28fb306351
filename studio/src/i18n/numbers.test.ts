import { afterEach, describe, expect, it } from "vitest";
import { dayText, deliveriesText, momentText, moneyText, tokensText } from "../time/words";
import { durationText } from "../panel/format";
import { leftWords } from "../scopes/words";
import type { FrameInfo } from "../api/types";
import { GERMAN } from "./de";
import { setTexts } from "./table";

const NOW = Date.UTC(2026, 10, 28, 14, 46);
const DAY = 86_400_000;

describe("numbers and dates on the German page", () => {
  afterEach(() => setTexts("en", {}));

  it("are written as people write them in German", () => {
    setTexts("de", GERMAN);
    expect(momentText(NOW, NOW, "UTC")).toBe("14:46");
    expect(momentText(NOW + DAY, NOW, "UTC")).toBe("morgen 14:46");
    expect(dayText(NOW + 10 * DAY, NOW, "UTC")).toBe("Di. 8. Dez.");
    expect(durationText(840)).toBe("840 ms");
    expect(durationText(1840)).toBe("1,84 s");
    expect(moneyText(0.42, "EUR")).toBe("€0,42");
    expect(tokensText(4100)).toBe("4,1 k");
    expect(leftWords({ turns: 1, max_turns: 2, tokens: 0, max_tokens: 1200 } as FrameInfo)).toBe("1 Runde, 1.200 Tokens übrig");
    expect(deliveriesText([{ status: "failed" }])).toBe("1 fehlgeschlagen");
  });
});
