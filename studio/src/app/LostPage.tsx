import { Link } from "./Link";
import { t } from "../i18n/t";

/** An address that leads nowhere. */
export function LostPage() {
  return (
    <div className="wrap">
      <div className="hero">
        <h1>{t("This page does not exist")}</h1>
        <p>
          {t("The address names no conversation and no flow.")}{" "}<Link to={{ page: "start" }}>{t("Go to the start page")}</Link>.
        </p>
      </div>
    </div>
  );
}
