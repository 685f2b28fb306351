import type { Problem } from "../api/problem";
import { setLayout } from "../data/layout";
import { invalidate } from "../data/resource";
import { Button } from "../ui/Button";
import { t } from "../i18n/t";

/** The page for a reader whom the server does not know: how to log in, or where to enter a key. */
export function NoAccess({ problem }: { problem: Problem }) {
  return (
    <div className="wrap">
      <div className="hero">
        <h1>{problem.title}</h1>
        {problem.code === "not_logged_in" ? <LogIn url={problem.loginUrl} /> : <EnterKey problem={problem} />}
      </div>
    </div>
  );
}

function LogIn({ url }: { url: string }) {
  return (
    <>
      <p>{t("This page belongs to an application with its own login.")}{" "}{url ? t("Log in there, and you come back here.") : t("Log in there, then try again.")}</p>
      <p className="acts">
        {url && (
          <a className="btn solid" href={url.replace("{next}", encodeURIComponent(location.pathname + location.search))}>
            {t("Log in")}
          </a>
        )}
        <Button onClick={() => invalidate("")}>{t("Try again")}</Button>
      </p>
    </>
  );
}

function EnterKey({ problem }: { problem: Problem }) {
  return (
    <>
      <p>{problem.code === "missing_scope" ? problem.detail : t("Whoever runs this server can make a key for you: turnwise keys add.")}</p>
      <p className="acts">
        <Button look="solid" onClick={() => setLayout({ dialog: "key" })}>
          {t("Enter a key")}
        </Button>
      </p>
    </>
  );
}
