/** Modules of the page with texts. */
export function files(): string[];
/** The texts of a module that stand outside of the table, with what they would become. */
export function editsOf(code: string, name: string): { start: number; end: number; key: string; next: string }[];
/** The keys of the table that a module uses. */
export function keysOf(code: string, name: string): Set<string>;
