/** The German texts of the page, by the English ones. A test checks that each text of the page has one. */
export const GERMAN: Readonly<Record<string, string>> = {};
