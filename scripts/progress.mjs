// How far a build is: from what cargo says, for people at a terminal, for logs, and for the page that waits for it.

/** `1 min 5 s`. */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A log gets a line at most this often. */
const LOG_EVERY = 20_000;

export class Progress {
  #what;
  #show;
  #say;
  #began = Date.now();
  #said = "";
  #last = -Infinity;
  #kept = [];

  /** `show` gets `{text, done, of}`; `say` prints on the terminal or in the log. */
  constructor(what, show, say) {
    this.#what = what;
    this.#show = show;
    this.#say = say ?? ((text) => this.#print(text));
    this.#tell();
  }

  /** Takes what a program says, in pieces that are cut anywhere. Its progress is `[===> ] 12/221: names`; `setup: …` and `build: …` are steps. */
  take(piece) {
    this.#kept.push(piece);
    // Only the end matters where it fails.
    if (this.#kept.length > 400) this.#kept.splice(0, 200);
    const counts = [...piece.matchAll(/\] +(\d+)\/(\d+)/g)].at(-1);
    const step = [...piece.matchAll(/^(?:setup|build): (.*)$/gm)].at(-1);
    if (counts) this.#tell(`${counts[1]} of ${counts[2]} crates`, Number(counts[1]), Number(counts[2]));
    else if (step) this.#tell(step[1].replace(/ …$/, ""));
    else if (/^ *Download(ing|ed) /m.test(piece)) this.#tell("getting what it is built from");
  }

  /** What the program said, without its progress. */
  output() {
    const lines = this.#kept.join("").split(/\r\n|\n|\r/);
    const noise = /^\s*(Compiling|Downloaded|Downloading|Finished|Building|Updating|Locking|Adding|Fresh)\b|^\s*$/;
    // eslint-disable-next-line no-control-regex
    return lines.map((line) => line.replace(/\x1b\[[0-9;]*[A-Za-z]/g, "")).filter((line) => !noise.test(line)).join("\n");
  }

  end(text) {
    if (process.stdout.isTTY && this.#said) process.stdout.write("\r\x1b[K");
    console.log(text);
  }

  #tell(how, done, of) {
    const text = how ? `${this.#what}: ${how}` : `${this.#what} …`;
    this.#show({ text, done, of });
    this.#say(text);
  }

  #print(text) {
    if (text === this.#said) return;
    const since = duration(Date.now() - this.#began);
    if (process.stdout.isTTY) {
      process.stdout.write(`\r\x1b[K${`${text} (${since})`.slice(0, (process.stdout.columns ?? 80) - 1)}`);
    } else if (Date.now() - this.#last >= LOG_EVERY) {
      console.log(this.#said ? `${text} (${since})` : text);
      this.#last = Date.now();
    } else {
      return;
    }
    this.#said = text;
  }
}
