import { ICONS, type IconName } from "./icons";

/** A drawing without a name of its own: the text beside it, or its button's label, says what it means. */
export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg className={`i ${className}`} viewBox={name === "brand" ? "0 0 24 24" : "0 0 16 16"} aria-hidden="true" focusable="false">
      {ICONS[name]}
    </svg>
  );
}
