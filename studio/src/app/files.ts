import { api } from "../api/calls";
import { asProblem } from "../api/problem";
import type { ConversationSummary } from "../api/types";
import { announce } from "../data/announce";
import { putSummary } from "../data/list";
import { Store } from "../data/store";
import { t } from "../i18n/t";

/** The last action on files that failed, shown where the menu is. */
export const fileProblem = new Store<{ now: ReturnType<typeof asProblem> | null }>({ now: null });

function nameOf(response: Response, otherwise: string): string {
  const header = response.headers.get("Content-Disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  return encoded ? decodeURIComponent(encoded) : (/filename="?([^";]+)"?/i.exec(header)?.[1] ?? otherwise);
}

async function save(answer: Promise<Response>, otherwise: string): Promise<void> {
  try {
    const response = await answer;
    const name = nameOf(response, otherwise);
    const url = URL.createObjectURL(await response.blob());
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    fileProblem.set({ now: null });
    announce(t("Saved {name}", { name }));
  } catch (error) {
    fileProblem.set({ now: asProblem(error) });
  }
}

const plain = (id: string) => id.replace(/[^\w.-]+/g, "_");

/** Save a conversation as a file that can be opened elsewhere. */
export const saveExport = (id: string): Promise<void> => save(api.exportFile(id), `${plain(id)}.jsonl`);

/** Save a conversation as a scenario, which reruns offline. */
export const saveScenario = (id: string): Promise<void> => save(api.scenario(id), `${plain(id)}.scenario.yaml`);

/** Open an exported file: the server stores it as a conversation. Raises a `Problem`. */
export async function openFile(file: File, name?: string): Promise<ConversationSummary> {
  const summary = await api.importFile(file, name);
  putSummary(summary);
  return summary;
}
