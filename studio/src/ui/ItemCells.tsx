import type { ItemTexts } from "../api/types";
import { t } from "../i18n/t";

/** The items of a list of records as a table that only shows them: on a card to confirm, and on one to approve. */
export function ItemCells({ items, label }: { items: ItemTexts; label: string }) {
  return (
    <div className="itemcells">
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr">{t("number")}</span>
            </th>
            {items.columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.rows.map((row, at) => (
            <tr key={row.id || at}>
              <th scope="row">{at + 1}</th>
              {row.cells.map((cell, column) => (
                <td key={items.columns[column]}>{cell || <i className="none">–</i>}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
