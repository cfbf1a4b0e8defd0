// The programs that `npm start` runs: each build in a group of its own, so that a stop reaches cargo and all its compilers, whoever was sent the
// signal.
import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Of those that only the page waits for: lower than the server's. */
const BEHIND = 10;

export class Jobs {
  #root;
  #builds = new Set();
  #server;

  constructor(root) {
    this.#root = root;
    // The terminal's Ctrl-C reaches the server by itself; a signal to this process alone is handed on.
    for (const signal of ["SIGINT", "SIGTERM"]) {
      process.on(signal, () => {
        this.#stopBuilds();
        if (this.#server) return this.#server.kill(signal);
        console.log("\nStopped.");
        process.exit(0);
      });
    }
  }

  /** The server, which is to end with this process. */
  start(program, args, stdio) {
    this.#server = spawn(program, args, { cwd: this.#root, stdio });
    this.#server.on("error", (error) => {
      console.error(`${program} can't be run: ${error.message}`);
      this.end(1);
    });
    return this.#server;
  }

  /** Runs a build; what it says is told by `progress`, or in the error where it fails. */
  run(program, args, progress, setPriority) {
    // A shell that was open before rustup came does not have cargo on its PATH yet.
    const cargo = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "bin");
    const env = {
      ...process.env,
      PATH: `${process.env.PATH}${delimiter}${cargo}`,
      CARGO_TERM_COLOR: "never",
      CARGO_TERM_PROGRESS_WHEN: "always",
      CARGO_TERM_PROGRESS_WIDTH: "100",
    };
    const child = spawn(program, args, { cwd: this.#root, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    this.#builds.add(child);
    // Its children have what it has.
    if (child.pid) setPriority?.(child.pid, BEHIND);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (piece) => progress.take(piece));
    }
    return new Promise((done, failed) => {
      child.on("error", failed);
      child.on("close", (code) => {
        this.#builds.delete(child);
        if (code === 0) return done();
        failed(new Error(`\n${progress.output()}\n${[program, ...args].join(" ")} failed.`));
      });
    });
  }

  /** Ends all, and this process. */
  end(code) {
    this.#stopBuilds();
    process.exit(code);
  }

  #stopBuilds() {
    for (const { pid } of this.#builds) {
      try {
        process.kill(-pid, "SIGTERM");
      } catch {
        // It has ended by itself.
      }
    }
  }
}
