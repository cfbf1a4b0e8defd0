// A browser with the page, which is at http://localhost:3000 for it, wherever it really is: nodes let that origin in.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const ORIGIN = "http://localhost:3000";
/** A folder for each file of tests: all have pictures of their own, also side by side. */
const SHOTS = join(fileURLToPath(new URL("../../../target/screenshots/", import.meta.url)), basename(process.argv[1], ".test.mjs"));
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
/** Of a phone, a laptop and a large screen. Tests act at the second. */
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 820 },
  { width: 1920, height: 1080 },
];
const [PHONE, WIDE] = SIZES;
/** What axe-core looks for in which picture: fingers need room on phones, in the dark colours alone differ. */
const LOOKED_FOR = {
  light: { [PHONE.width]: { rules: { "target-size": { enabled: true } } }, [WIDE.width]: {} },
  dark: { [WIDE.width]: { runOnly: ["color-contrast", "link-in-text-block"] } },
};
/** The smallest phone that everything fits. */
const NARROW = { width: 360, height: 740 };

function findChromium() {
  for (const name of [process.env.CHROMIUM, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) {
    if (!name) continue;
    try {
      return execFileSync("sh", ["-c", `command -v "${name}"`], { encoding: "utf8" }).trim();
    } catch {
      // The next, then.
    }
  }
  throw new Error("Chromium is missing: run `scripts/setup chromium`, or name its binary in the environment variable CHROMIUM");
}

/** With `camera`, a video of it, this is what the page sees when it is allowed to look. */
export async function startBrowser(port, { camera, locale = "en-GB", timezoneId = "UTC" } = {}) {
  const profile = mkdtempSync(join(tmpdir(), "wallet-page-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--host-resolver-rules=MAP localhost:3000 127.0.0.1:${port}`,
      ...(camera ? ["--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${camera}`] : []),
    ],
    viewport: WIDE,
    locale,
    timezoneId,
    permissions: ["clipboard-read", "clipboard-write", ...(camera ? ["camera"] : [])],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(20_000);
  /** Everything that the page says, which must hold no secret. */
  const said = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => said.push(`uncaught: ${error.message}`));
  const stop = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { page, said, stop, shot: shots(page) };
}

/** Pictures are numbered in the order in which they are taken, whichever browser of a test has them. */
let count = 0;

/** Once in a thousand times Chromium draws no frame after its size has changed, and a picture would wait for ever. */
async function picture(page, path, tries = 3) {
  await page.screenshot({ path, animations: "disabled", timeout: 5_000 }).catch((error) => {
    if (tries === 1) throw error;
    return picture(page, path, tries - 1);
  });
}

/** Keeps pictures of the page as it is by now, in each size, light and dark. What is seen there, everybody can use. */
function shots(page) {
  mkdirSync(SHOTS, { recursive: true });
  const shoot = async (name, { width, height }, colorScheme) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await settled(page);
    const path = join(SHOTS, `${String(count).padStart(2, "0")}-${name}-${width}-${colorScheme}`);
    await picture(page, `${path}.png`);
    // What one scrolls to on a phone, once.
    if (colorScheme !== "light" || width !== PHONE.width) return;
    const hidden = await page.evaluate(() => {
      const [scrolled = document.documentElement] = [...document.querySelectorAll("dialog[open] .dialog-body")].reverse();
      return scrolled.scrollHeight - scrolled.clientHeight;
    });
    if (hidden <= 0) return;
    const y = await page.evaluate(() => scrollY);
    await page.setViewportSize({ width, height: height + hidden });
    await picture(page, `${path}-whole.png`);
    await page.setViewportSize({ width, height });
    await page.evaluate((back) => scrollTo(0, back), y);
  };
  return async (name, { narrow = false } = {}) => {
    count += 1;
    // Notices come and go by themselves: a picture has them or not by chance.
    const close = page.locator(".notice button");
    while ((await close.count()) > 0) await close.first().click({ timeout: 1_000 }).catch(() => {});
    for (const colorScheme of ["light", "dark"]) {
      for (const size of SIZES) {
        await shoot(name, size, colorScheme);
        const rules = LOOKED_FOR[colorScheme][size.width];
        if (!rules) continue;
        // Of what one scrolls to, nothing lies below the bars then.
        if (size === PHONE) await page.setViewportSize({ ...PHONE, height: 4_000 });
        assert.deepEqual(await barriers(page, rules), [], `${name}, ${colorScheme}, ${size.width} pixels wide`);
      }
    }
    await page.setViewportSize(WIDE);
    if (narrow) {
      await page.setViewportSize(NARROW);
      await settled(page);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${name} fits a phone`);
      assert.deepEqual(await cutTimes(page), [], `${name} tells its times in full on a phone`);
      assert.deepEqual(await cutPlaceholders(page), [], `${name} shows what its fields are for in full on a phone`);
      await page.setViewportSize(WIDE);
    }
    await page.emulateMedia({ colorScheme: "light" });
  };
}

/** Times of which a box around them leaves out a part. */
const cutTimes = (page) =>
  page.locator("time").evaluateAll((times) =>
    times
      .filter((time) => {
        const [inner, outer] = [time, time.parentElement].map((part) => part.getBoundingClientRect());
        return time.scrollWidth > time.clientWidth || inner.right > outer.right || inner.bottom > outer.bottom;
      })
      .map((time) => time.textContent),
  );

/** What stands in empty fields that have less room than it takes. */
const cutPlaceholders = (page) =>
  page.locator("input[placeholder]:visible").evaluateAll((fields) => {
    const canvas = document.createElement("canvas").getContext("2d");
    return fields
      .filter((field) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(field);
        canvas.font = font;
        const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        return canvas.measureText(field.placeholder).width > room;
      })
      .map((field) => field.placeholder);
  });

/** What axe-core finds that keeps somebody out. */
async function barriers(page, options = {}) {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async (asked) => (await axe.run(asked)).violations, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}

/** Two frames: one in which the page sees the change, one in which it is drawn. */
const settled = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
