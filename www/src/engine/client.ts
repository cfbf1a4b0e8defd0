// The page's side of the worker: calls become promises, its events go to whoever listens.
import type { Answer, Call, Engine, EngineEvent, Failure, Method } from "./api";

/** An error of the wallet, with the code that says which. */
export class EngineError extends Error {
  readonly code: string;
  readonly field: string | undefined;

  constructor({ message, code, field }: Failure) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

type Result<M extends Method> = Promise<ReturnType<Engine[M]>>;
interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

let worker: Worker | undefined;
let lastId = 0;
const pending = new Map<number, Pending>();
let listener: (event: EngineEvent) => void = () => {};

/** Whoever is told of the worker's events from now on. */
export function listen(to: (event: EngineEvent) => void): void {
  listener = to;
}

/** Asks the worker; starts it if there is none. */
export function call<M extends Method>(method: M, ...args: Parameters<Engine[M]>): Result<M> {
  const to = (worker ??= start());
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
    to.postMessage({ id, method, args } satisfies Call);
  });
}

/** Ends the worker at once, and with it everything that it holds in memory. */
export function end(): void {
  worker?.terminate();
  worker = undefined;
  fail({ message: "The wallet was closed.", code: "CLOSED", field: undefined });
}

function start(): Worker {
  const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  started.onmessage = ({ data }: MessageEvent<Answer | EngineEvent>) => {
    if ("type" in data) return listener(data);
    const waiting = pending.get(data.id);
    pending.delete(data.id);
    if ("failure" in data) waiting?.reject(new EngineError(data.failure));
    else waiting?.resolve(data.value);
  };
  started.onerror = (event) => {
    const what = event.message || "its file can't be loaded";
    fail({ message: `The wallet's worker failed: ${what}. Load the page again.`, code: "WORKER", field: undefined });
  };
  return started;
}

function fail(failure: Failure): void {
  for (const { reject } of pending.values()) reject(new EngineError(failure));
  pending.clear();
}
