import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { href, navigate, type Route } from "../data/route";

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> & { to: Route };

/** A link inside of the studio: it has a real address, and opens without loading the page again. */
export function Link({ to, onClick, ...rest }: Props) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return <a {...rest} href={href(to)} onClick={follow} />;
}
