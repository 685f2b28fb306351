import { useEffect, useState } from "react";

/** Nothing for 200 ms, then blocks of the final shape. `shape` is the height of each block in pixels. What takes long shows its label. */
export function Loading({ label, shape = [18, 12, 54, 54], isLong = false }: { label: string; shape?: readonly number[]; isLong?: boolean }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return <div className="loading" role="status" />;
  return (
    <div className="loading" role="status">
      {isLong && <p className="muted">{label}…</p>}
      {shape.map((height, index) => (
        <div key={index} className="sk" style={{ height, width: `${[62, 88, 100, 100][index % 4]}%` }} />
      ))}
      {!isLong && <span className="sr">{label}</span>}
    </div>
  );
}
