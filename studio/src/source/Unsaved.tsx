// What is not saved, at the bottom of every page but the one that edits it.

import { Link } from "../app/Link";
import { useRoute } from "../data/route";
import { useDrafts } from "./drafts";
import { showPlace } from "./place";
import { t } from "../i18n/t";

/** A line that leads back to documents with unsaved changes. */
export function Unsaved() {
  const drafts = useDrafts();
  const route = useRoute();
  const away = drafts.filter((one) => !(route.page === "flow" && route.flow === one.flow) && !(route.page === "conversation" && route.view === "source"));
  if (!away.length) return null;
  return (
    <p className="unsaved" role="status">
      {t("Not saved:")}
      {away.map((one) => (
        <Link key={`${one.flow} ${one.file}`} to={{ page: "flow", flow: one.flow }} onClick={() => showPlace(one.flow, one.file, 1, true)}>
          {one.name}
        </Link>
      ))}
    </p>
  );
}
