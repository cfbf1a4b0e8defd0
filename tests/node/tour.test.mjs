// The README and the tour, walked as a reader would: their commands are run in order in one shell, and what they print must
// be what the documents say they print, but for what is new each time (hashes, times, signatures).

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { binary, startServer } from './server.mjs';

const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const readme = read('README.md');
const chapter = (name) => readme.match(new RegExp(`^## ${name}\n(.*?)^## `, 'ms'))[1];
// Each command block, with the answer that follows it where one is shown.
const stepsOf = (text) => [...text.matchAll(/^```bash\n(.*?)^```\n(?:\n```json\n(.*?)^```\n)?/gms)].map(([, commands, answer]) => ({
  commands,
  answer: answer && JSON.parse(answer),
}));
const tour = stepsOf(read('docs/tour.md'));

// Different in every run. Everything else must come out as printed.
const NEW_EACH_TIME = /^(hash|tx_id|spent_by|nonce|timestamp|index|configurationString|token|\d+)$/;
const CUT = '…';
// Outputs from this value on are change: how much it is depends on which coin is spent, and that on the reader's pace.
const CHANGE = 900_000;

for (const [name, steps] of [['README.md', stepsOf(chapter('First payment'))], ['docs/tour.md', tour]]) {
  test(`${name} tells what the server does`, async (t) => {
    const server = await startServer();
    try {
      const outputs = walk(server.url, steps);
      for (const [index, { commands, answer }] of steps.entries()) {
        if (!answer) continue;
        const printed = JSON.parse(outputs[index].trim().split('\n').at(-1));
        await t.test(commands.match(/(?<=:8000)[^'" ]+/gm).at(-1).trim(), () => compare(answer, printed, 'answer'));
      }
    } finally {
      assert.equal(await server.stop(), 0);
    }
  });
}

for (const [name, text] of [['README.md', chapter('The command line')], ['docs/command-line.md', read('docs/command-line.md')]]) {
  test(`the commands of ${name} run after the tour, as they are pasted`, async () => {
    const server = await startServer();
    // Where `npm start` puts it.
    const project = mkdtempSync(join(tmpdir(), 'commands-'));
    try {
      mkdirSync(join(project, 'target/start'), { recursive: true });
      symlinkSync(resolve(binary), join(project, 'target/start/headless-wallet'));
      walk(server.url, tour);
      const [, commands, shown] = text.match(/^```bash\n(.*?)^```\n(?:.*?^```\n(.*?)^```\n)?/ms);
      const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', commands], {
        cwd: project, encoding: 'utf8', env: { ...process.env, HEADLESS_URL: server.url },
      });
      assert.deepEqual([status, stderr], [0, '']);
      // Hashes and change are others each time, and the order of outputs is.
      const kinds = (text) => text.trim().split('\n').map((line) => line.trim().split(/ +/)[0].replace(/^\d+\.\d\d$/, 'N'));
      if (shown) assert.deepEqual(kinds(stdout), kinds(shown));
    } finally {
      assert.equal(await server.stop(), 0);
      rmSync(project, { recursive: true });
    }
  });
}

// Runs all steps in one shell, as variables live on from one to the next; returns what each printed.
function walk(url, steps) {
  const end = '--- end of step ---';
  const script = steps.map(({ commands }) => `${commands}\necho '\n${end}'\n`).join('');
  const shell = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script.replaceAll('http://127.0.0.1:8000', url)], {
    encoding: 'utf8',
  });
  const outputs = shell.stdout.split(`\n${end}\n`);
  assert.equal(outputs.length - 1, steps.length, `it stopped after:\n${shell.stdout}\n${shell.stderr}`);
  return outputs;
}

function compare(documented, actual, path) {
  const key = path.slice(path.lastIndexOf('.') + 1);
  if (documented === CUT) return;
  if (Array.isArray(documented)) {
    assert.ok(Array.isArray(actual), `${path} is an array`);
    const cut = documented.at(-1) === CUT;
    const shown = cut ? documented.slice(0, -1) : documented.toSorted(byValue);
    const found = cut ? actual : actual.toSorted(byValue);
    if (cut) assert.ok(actual.length > shown.length, `${path} goes on`);
    else assert.equal(actual.length, shown.length, `${path} has as many entries as shown`);
    shown.forEach((entry, index) => compare(entry, found[index], `${path}.${index}`));
  } else if (documented !== null && typeof documented === 'object') {
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(documented).sort(), `${path} has the fields shown`);
    for (const name of Object.keys(documented)) compare(documented[name], actual[name], `${path}.${name}`);
  } else if (NEW_EACH_TIME.test(key)) {
    assert.equal(typeof actual, typeof documented, `${path} is of the type shown`);
  } else if (key === 'value' && documented >= CHANGE) {
    assert.ok(actual >= CHANGE, `${path} is change: ${actual}`);
  } else {
    assert.equal(actual, documented, path);
  }
}

// Outputs come in random order; lists of other things keep theirs.
function byValue(a, b) {
  return a?.value - b?.value || a?.token_data - b?.token_data || 0;
}
