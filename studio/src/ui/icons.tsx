import type { ReactNode } from "react";

/** The drawings of the icons, 16 by 16 (brand: 24 by 24). Outcomes have their colour and their own shape. */
export const ICONS = {
  taken: (
    <>
      <circle cx="8" cy="8" r="7.5" fill="var(--accent)"/>
      <path d="M4.6 8.3 7 10.6l4.4-5" fill="none" stroke="var(--panel)" strokeWidth="1.9" strokeLinecap="round" strokeLinejoin="round"/>
    </>
  ),
  approval: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="var(--unk)" strokeWidth="1.6" />
      <path d="M6.4 5.6v4.8M9.6 5.6v4.8" stroke="var(--unk)" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  ask: (
    <>
      <circle cx="8" cy="8" r="6.2" fill="var(--panel)" stroke="var(--ink)" strokeWidth="1.6"/><circle cx="8" cy="8" r="2" fill="var(--ink)"/>
    </>
  ),
  held: (
    <>
      <path d="M3 8.6 6.4 12 13 4.4" fill="none" stroke="var(--accent)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round"/>
    </>
  ),
  false: (
    <>
      <path d="m4 4 8 8m0-8-8 8" fill="none" stroke="var(--no)" strokeWidth="2" strokeLinecap="round"/>
    </>
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.9" fill="none" stroke="var(--unk)" strokeWidth="1.3" strokeDasharray="2.4 1.9"/>
      <path d="M6.1 6.3a1.95 1.95 0 1 1 2.9 1.7c-.7.4-1 .7-1 1.4" fill="none" stroke="var(--unk)" strokeWidth="1.5" strokeLinecap="round"/>
      <circle cx="8" cy="11.5" r=".95" fill="var(--unk)"/>
    </>
  ),
  outranked: (
    <>
      <path d="M2.5 3.2h11" stroke="var(--ink-2)" strokeWidth="2" strokeLinecap="round"/>
      <path d="M4 10 7 13l5.2-6" fill="none" stroke="var(--ink-2)" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round"/>
    </>
  ),
  not_reached: (
    <>
      <circle cx="8" cy="8" r="6.6" fill="none" stroke="var(--ink-3)" strokeWidth="1.3"/>
      <path d="M5 8h6" stroke="var(--ink-3)" strokeWidth="1.6" strokeLinecap="round"/>
    </>
  ),
  blocked: (
    <>
      <path d="M5.1 1.2h5.8l4 4v5.7l-4 4H5.1l-4-4V5.2Z" fill="none" stroke="var(--no)" strokeWidth="1.5" strokeLinejoin="round"/>
      <path d="M4.6 8h6.8" stroke="var(--no)" strokeWidth="2" strokeLinecap="round"/>
    </>
  ),
  error: (
    <>
      <path d="M8 1.2 15.4 14.4H.6Z" fill="var(--no)" stroke="var(--no)" strokeLinejoin="round"/>
      <path d="M8 6v4" stroke="var(--panel)" strokeWidth="1.8" strokeLinecap="round"/>
      <circle cx="8" cy="12.3" r="1" fill="var(--panel)"/>
    </>
  ),
  differs: (
    <>
      <path d="M2.5 6h11M2.5 10.5h11M10.8 2 5.2 14.5" fill="none" stroke="var(--unk)" strokeWidth="1.8" strokeLinecap="round"/>
    </>
  ),
  none: (
    <>
      <circle cx="8" cy="8" r="2.2" fill="var(--ink-3)"/>
    </>
  ),
  chev: (
    <>
      <path d="m6 3.5 4.5 4.5L6 12.5" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round"/>
    </>
  ),
  up: (
    <>
      <path d="M8 13V3.5M4 7.5l4-4 4 4" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round"/>
    </>
  ),
  edit: (
    <>
      <path d="m3 13 .7-3L10.6 3.1a1.2 1.2 0 0 1 1.7 0l.6.6a1.2 1.2 0 0 1 0 1.7L6 12.3z" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round"/>
    </>
  ),
  prev: (
    <>
      <path d="M10.5 3.5 6 8l4.5 4.5" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round"/>
    </>
  ),
  first: (
    <>
      <path d="M12 3.5 7.5 8l4.5 4.5M4 3.5v9" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round"/>
    </>
  ),
  last: (
    <>
      <path d="M4 3.5 8.5 8 4 12.5M12 3.5v9" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeLinejoin="round"/>
    </>
  ),
  plus: (
    <>
      <path d="M8 3v10M3 8h10" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round"/>
    </>
  ),
  minus: <path d="M3 8h10" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" />,
  find: (
    <>
      <circle cx="7" cy="7" r="4.3" fill="none" stroke="currentColor" strokeWidth="1.6"/>
      <path d="m10.3 10.3 3.2 3.2" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round"/>
    </>
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5"/>
      <path d="M8 2a6 6 0 0 1 0 12Z" fill="currentColor"/>
    </>
  ),
  panel: (
    <>
      <rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1.8" fill="none" stroke="currentColor" strokeWidth="1.4"/>
      <path d="M9.6 3v10" stroke="currentColor" strokeWidth="1.4"/>
    </>
  ),
  copy: (
    <>
      <rect x="5.2" y="5.2" width="8" height="8.4" rx="1.5" fill="none" stroke="currentColor" strokeWidth="1.4"/>
      <path d="M10.5 3H4.3A1.5 1.5 0 0 0 2.8 4.5V11" fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinecap="round"/>
    </>
  ),
  send: (
    <>
      <path d="M8 13V3.5M3.8 7.5 8 3.3l4.2 4.2" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round"/>
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.2" r="2.8" fill="none" stroke="currentColor" strokeWidth="1.5"/>
      <path d="M2.8 14c.4-3 2.5-4.5 5.2-4.5s4.8 1.5 5.2 4.5" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round"/>
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5"/>
      <path d="M8 4.6V8l2.3 1.6" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round"/>
    </>
  ),
  fork: (
    <>
      <path d="M4 3v10M4 9c0-3 8-1.5 8-6" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round"/>
      <path d="m10.2 4.8 1.8-1.9 1.8 1.9" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round"/>
    </>
  ),
  in: (
    <>
      <circle cx="8" cy="8" r="7.5" fill="var(--accent)" />
      <path d="M5.2 4.6v2.600a1.500 1.500 0 0 0 1.500 1.500h3.800M8.600 6.500l2.300 2.200-2.300 2.200" fill="none" stroke="var(--panel)" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </>
  ),
  out: (
    <>
      <circle cx="8" cy="8" r="6.8" fill="var(--panel)" stroke="var(--accent)" strokeWidth="1.4" />
      <path d="M5.200 11.200V9.200a1.500 1.500 0 0 1 1.500-1.500h3.800M8.600 5.500l2.300 2.200-2.300 2.200" fill="none" stroke="var(--accent)" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </>
  ),
  bell: (
    <>
      <path d="M3.3 11.200h9.400c-1-1-1.200-2-1.200-4a3.500 3.500 0 0 0-7 0c0 2-.2 3-1.200 4Z" fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
      <path d="M6.700 13.400h2.600" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  overlay: (
    <>
      <rect x="1.500" y="3" width="9" height="7" rx="1.500" fill="none" stroke="currentColor" strokeWidth="1.4" />
      <rect x="5.500" y="6.500" width="9" height="7" rx="1.500" fill="var(--panel)" stroke="currentColor" strokeWidth="1.4" />
    </>
  ),
  gauge: <path d="M2.200 12a6 6 0 1 1 11.600 0M8 9.800l2.800-3.600" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />,
  arrive: <path d="M9 2.800h3.200a1 1 0 0 1 1 1v8.400a1 1 0 0 1-1 1H9M2 8h7M6.200 5.200 9 8l-2.800 2.800" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />,
  list: (
    <>
      <path d="M2.5 4h11M2.5 8h11M2.5 12h7" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round"/>
    </>
  ),
  chat: (
    <>
      <path d="M2.5 3.5h11v7.3H7.3L4.3 13.5v-2.7H2.5Z" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round"/>
    </>
  ),
  why: (
    <>
      <path d="M5.2 5.6a2.8 2.8 0 1 1 4.2 2.4c-1 .6-1.4 1-1.4 2" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round"/>
      <circle cx="8" cy="13" r="1.1" fill="currentColor"/>
    </>
  ),
  graph: (
    <>
      <rect x="2" y="2" width="5" height="4" rx="1" fill="none" stroke="currentColor" strokeWidth="1.4"/>
      <rect x="9" y="10" width="5" height="4" rx="1" fill="none" stroke="currentColor" strokeWidth="1.4"/>
      <path d="M4.5 6v6H9" fill="none" stroke="currentColor" strokeWidth="1.4"/>
    </>
  ),
  brand: (
    <>
      <path d="M3 18.5h5.2c1.7 0 2.3-.8 2.3-2.3V9.3c0-1.5.6-2.3 2.3-2.3H16" fill="none" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round"/>
      <circle cx="19" cy="7" r="3.6" fill="var(--accent)"/>
    </>
  ),
  close: <path d="m4 4 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" />,
  menu: (
    <>
      <circle cx="3.2" cy="8" r="1.3" fill="currentColor" />
      <circle cx="8" cy="8" r="1.3" fill="currentColor" />
      <circle cx="12.8" cy="8" r="1.3" fill="currentColor" />
    </>
  ),
  flow: <path d="M2.5 4h5m-5 4h11m-11 4h7" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />,
  undo: <path d="M6 3 2.8 6.200 6 9.400M3 6.200h6.500a3.800 3.800 0 0 1 0 7.600H6" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />,
  check: <path d="M3 8.600 6.400 12 13 4.400" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof ICONS;
