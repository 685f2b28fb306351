import { memo, type ReactNode } from "react";
import { parseBlocks, type Block } from "./blocks";
import type { Inline } from "./inline";
import { t } from "../../i18n/t";

/** Markdown as React elements: no HTML from the text, no pictures, links to http, https and mail only. */
export const Markdown = memo(function Markdown({ text, end }: { text: string; end?: ReactNode }) {
  const blocks = parseBlocks(text);
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} end={index === blocks.length - 1 ? end : undefined} />
      ))}
      {!blocks.length && end}
    </>
  );
});

function BlockView({ block, end }: { block: Block; end?: ReactNode }) {
  switch (block.type) {
    case "paragraph":
      return (
        <p>
          {inline(block.children)}
          {end}
        </p>
      );
    case "heading":
      // headings of the page are ours: in a message they only look like headings
      return (
        <p className={`md-h md-h${Math.min(block.level, 4)}`}>
          {inline(block.children)}
          {end}
        </p>
      );
    case "code":
      return (
        <pre className="md-code" tabIndex={0} role="region" aria-label={block.language ? t("Code, {language}", { language: block.language }) : t("Code")}>
          <code>{block.text}</code>
        </pre>
      );
    case "quote":
      return (
        <blockquote>
          {block.children.map((child, index) => (
            <BlockView key={index} block={child} />
          ))}
        </blockquote>
      );
    case "rule":
      return <hr />;
    case "list":
      return <List block={block} />;
    case "table":
      return <Table block={block} />;
  }
}

function List({ block }: { block: Extract<Block, { type: "list" }> }) {
  const items = block.items.map((item, index) => (
    <li key={index}>
      {item.map((child, at) => (
        <BlockView key={at} block={child} />
      ))}
    </li>
  ));
  return block.isOrdered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ block }: { block: Extract<Block, { type: "table" }> }) {
  return (
    <div className="md-table" tabIndex={0} role="region" aria-label={t("Table")}>
      <table>
        <thead>
          <tr>
            {block.head.map((cell, index) => (
              <th key={index} scope="col">
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const inline = (pieces: Inline[]): ReactNode => pieces.map((piece, index) => <InlineView key={index} piece={piece} />);

function InlineView({ piece }: { piece: Inline }) {
  switch (piece.type) {
    case "text":
      return piece.text;
    case "code":
      return <code>{piece.text}</code>;
    case "strong":
      return <strong>{inline(piece.children)}</strong>;
    case "em":
      return <em>{inline(piece.children)}</em>;
    case "del":
      return <del>{inline(piece.children)}</del>;
    case "break":
      return <br />;
    case "link":
      return (
        <a href={piece.to} target="_blank" rel="noopener noreferrer nofollow">
          {inline(piece.children)}
        </a>
      );
  }
}
