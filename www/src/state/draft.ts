// The payment that is being written: it is still there after a look at another page.
import { signal } from "@preact/signals";
import type { Draft } from "../pages/SendRows";

export const draft = signal<{ rows: Draft[]; label: string } | undefined>(undefined);
