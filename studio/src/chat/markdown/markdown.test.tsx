import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./Markdown";

declare const process: { cpuUsage(since?: object): { user: number } };

const html = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

describe("Markdown", () => {
  it.each([
    ["plain", "<p>plain</p>"],
    ["**b** *i* _i_ ~~d~~ `c`", "<p><strong>b</strong> <em>i</em> <em>i</em> <del>d</del> <code>c</code></p>"],
    ["**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"],
    ["user_name and a*b*c are 2 * 3 * 4", "<p>user_name and a<em>b</em>c are 2 * 3 * 4</p>"],
    ["`<b>` \\*x\\*", "<p><code>&lt;b&gt;</code> *x*</p>"],
    ["one\ntwo\n\nthree", "<p>one<br/>two</p><p>three</p>"],
    ["- a\n- b\n  - c", "<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li></ul>"],
    ["3. a\n4. b", '<ol start="3"><li><p>a</p></li><li><p>b</p></li></ol>'],
    ["> q\n> r", "<blockquote><p>q<br/>r</p></blockquote>"],
    ["# T", '<p class="md-h md-h1">T</p>'],
    ["---", "<hr/>"],
    ["[x](https://a.example/b?c=1)", '<p><a href="https://a.example/b?c=1" target="_blank" rel="noopener noreferrer nofollow">x</a></p>'],
    ["see https://a.example/b.", '<p>see <a href="https://a.example/b" target="_blank" rel="noopener noreferrer nofollow">https://a.example/b</a>.</p>'],
  ])("%j", (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it("draws code and tables", () => {
    expect(html("```js\na < b\n```")).toContain("<code>a &lt; b</code>");
    const table = html("| a | b |\n|---|:-:|\n| 1 | `x` |\n| 2 |");
    expect(table).toContain("<th scope=\"col\">a</th>");
    expect(table.match(/<td/g)).toHaveLength(4);
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:x)",
    "[x](//evil.example)",
    "![x](https://evil.example/track.png)",
    "<javascript:alert(1)>",
    '[x](https://a.example" onclick="alert(1))',
    "</p></div><h1>x</h1>",
    "**<b onmouseover=alert(1)>**",
    "[<img src=x>](https://a.example)",
  ])("makes no markup of its own from %j", (text) => {
    const made = new DOMParser().parseFromString(html(text), "text/html");
    for (const element of made.body.querySelectorAll("*")) {
      expect(element.tagName).toMatch(/^(P|A|BR|STRONG|EM|CODE)$/);
      for (const { name, value } of element.attributes) {
        expect(["href", "target", "rel", "class"]).toContain(name);
        if (name === "href") expect(value).toMatch(/^https:\/\/(a|evil)\.example/);
      }
    }
  });

  it("stays quick and whole with text that is nested or long", () => {
    const before = process.cpuUsage(); // and no time, which depends on what else the machine does
    for (const text of ["*".repeat(20_000), "[".repeat(5000), "> ".repeat(3000) + "x", "- ".repeat(2000) + "x", "`".repeat(9999) + "a", "a".repeat(200_000), "**a ".repeat(4000), "|".repeat(4000) + "\n|-|"]) {
      expect(html(text).length).toBeGreaterThan(0);
    }
    expect(process.cpuUsage(before).user).toBeLessThan(4_000_000);
  });
});
