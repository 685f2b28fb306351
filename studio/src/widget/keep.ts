/** Where the browser keeps the visitor's token and the id of the conversation; in memory where storage is blocked. */
export class Keep {
  private readonly memory = new Map<string, string>();

  constructor(private readonly prefix: string) {}

  get(name: string): string | null {
    try {
      return localStorage.getItem(this.prefix + name) ?? this.memory.get(name) ?? null;
    } catch {
      return this.memory.get(name) ?? null;
    }
  }

  set(name: string, value: string): void {
    this.memory.set(name, value);
    try {
      localStorage.setItem(this.prefix + name, value);
    } catch {
      // The page forbids storage: the conversation lasts as long as the page.
    }
  }

  remove(name: string): void {
    this.memory.delete(name);
    try {
      localStorage.removeItem(this.prefix + name);
    } catch {
      // As above.
    }
  }
}
