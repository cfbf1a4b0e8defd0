// The browser's storage, which may be full, forbidden, or hold what an older or stranger page left there.

const PREFIX = "headless-wallet:";

export function readText(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether it could be written. */
export function writeText(key: string, text: string): boolean {
  try {
    localStorage.setItem(PREFIX + key, text);
    return true;
  } catch {
    return false;
  }
}

export function remove(key: string): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // What can't be reached is not there.
  }
}

/** What was written, if it still is what it should be. */
export function readJson<T>(key: string, check: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(readText(key) ?? "null");
    return check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const writeJson = (key: string, value: unknown): boolean => writeText(key, JSON.stringify(value));
