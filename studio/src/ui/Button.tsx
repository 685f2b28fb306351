import type { ButtonHTMLAttributes } from "react";
import { Icon } from "./Icon";
import type { IconName } from "./icons";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { look?: "plain" | "solid" | "quiet"; icon?: IconName; label?: string };

/** A button. With `icon` and no children it is square, and `label` is its accessible name. */
export function Button({ look = "plain", icon, label, className = "", children, ...rest }: Props) {
  const classes = ["btn", look === "plain" ? "" : look, icon && !children ? "icon" : "", className].filter(Boolean).join(" ");
  return (
    <button type="button" className={classes} aria-label={label} title={icon && !children ? label : undefined} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
