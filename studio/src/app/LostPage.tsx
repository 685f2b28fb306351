import { Link } from "./Link";

/** An address that leads nowhere. */
export function LostPage() {
  return (
    <div className="wrap">
      <div className="hero">
        <h1>This page does not exist</h1>
        <p>
          The address names no conversation and no flow. <Link to={{ page: "start" }}>Go to the start page</Link>.
        </p>
      </div>
    </div>
  );
}
