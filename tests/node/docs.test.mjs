// The runs of the documents, as they are pasted: against a local network with other ports than the usual ones.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { ROOT } from './support/package.mjs';
import { binary, startServer } from './server.mjs';

for (const [document, last, changed = (script) => script, told = /^/] of [
  ['multisig', /\ntrue\n$/],
  ['external-signing', /\ntrue\n\{"success":true\}\n$/],
  ['contracts', /^\{"success":true.*\ntrue\ntrue\n.*"total":\{"value":300\}.*\ntrue\n.*"nc_method":"withdraw".*"nc_method":"set_result".*\nwithdraw\n$/s],
  ['tasks', /^\{"success":true\}\n\{.*"status":"[a-z]+".*\}\n\{.*"tasks":\[\{.*\}\n$/s],
  ['guides/shop', /^\{"success":true\}\none order pays to (W\w{33}), the next to W\w{33}\n\{"success":true\}\ntrue\n.*"type":"deposit\.seen".*"address":"\1".*"type":"deposit\.confirmed".*"address":"\1".*\n$/s],
  ['guides/exchange', new RegExp([
    /^[^]*\{"success":true\}\n\{"success":true\}\n50000\n2\n/,
    /withdrawal 1 is paid once: [0-9a-f]{64}\nwithdrawal 2 is another one: [0-9a-f]{64}\n/,
    /true\nToken: 00\. Insufficient amount of tokens to fill the amount\.\n$/,
  ].map(({ source }) => source).join(''))],
  ['guides/game', new RegExp([
    /^\{"success":true\}\ntrue\n\{"available":100000,"locked":0\}\n/,
    /\{"success":true,"configurationString":"\[Gold Coins:GOLD:[0-9a-f]{64}:[0-9a-f]{8}\]"\}\n/,
    /true\ntrue\n105000\ntrue\n10\ntrue\n100000\n$/,
  ].map(({ source }) => source).join(''))],
  ['signer', /\nopen: main\nWallet shop is ready\.\navailable +0\.00 HTR\n[^]*seeds\.document[^]*$/, asOneUser, /the seed "main" is kept, sealed\n$/],
  ['custody', new RegExp([
    /^[^]*shop: read, send; wallets shop; spend 10\.00 HTR per day unless approved by 1 of alice; spend 1000\.00 HTR per day\n/,
    /Wallet shop is ready\.\n[^]*the eleventh waits\nstatus +sent\n[^]*more than all is refused\n/,
    /\d+ lines, and each follows the one before it; the last one's hash is [0-9a-f]{64}\n$/,
  ].map(({ source }) => source).join('')), undefined, new RegExp([
    /error: The limit "spend 10.00 HTR per day unless approved by 1 of alice" of the API key "shop" wants approval for this: /,
    /it would spend 1.00 HTR, with 0 HTR left without approval\. [^]*\n/,
    /error: The limit "spend 1000.00 HTR per day" of the API key "shop" refuses this: it would spend 1000.00 HTR, with 989.00 HTR left\.\n$/,
  ].map(({ source }) => source).join(''))],
  ['signing-file', new RegExp([
    /^[^]*\nGives 15\.00 HTR to W\w{33}\.\n[^]*Signatures: 0 of 1 for input 0\.\n/,
    /[^]*Signed: signed\.json has all signatures, and can be sent \(`push-file`\)\.\ntransaction +[0-9a-f]{64}\n[^]*it is sent once\n$/,
  ].map(({ source }) => source).join('')), undefined, /\nerror: The transaction of this signing file was sent already: it is [0-9a-f]{64}\.\n$/],
  ['templates', /^\{"success":true.*\n.*"dry_run":true.*\n.*"success":true.*"hash":"[0-9a-f]{64}".*\n$/],
]) {
  test(`the run of docs/${document}.md`, { timeout: 60_000 }, async () => {
    const text = readFileSync(join(ROOT, `docs/${document}.md`), 'utf8');
    // The snippets that lead there can't all be pasted, unless there is no such chapter.
    const [whole] = text.match(/^## All of it at once\n.*/ms) ?? [text];
    const commands = [...whole.matchAll(/^```bash\n(.*?)^```\n/gms)].map(([, snippet]) => snippet).join('');
    const server = await startServer();
    const project = mkdtempSync(join(tmpdir(), 'run-'));
    mkdirSync(join(project, 'target/start'), { recursive: true });
    symlinkSync(resolve(binary), join(project, 'target/start/headless-wallet'));
    symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    try {
      const places = [
        ['http://127.0.0.1:8083', server.nodeUrl.replace('/v1a/', '')],
        ['http://127.0.0.1:8035/', server.miningUrl],
        ['http://127.0.0.1:8000', server.url],
        ['8001', await freePort()],
      ];
      const script = places.reduce((script, [usual, here]) => script.replaceAll(usual, here), commands);
      const { code, out, said } = await run(changed(script, project, server, await freePort()), project);
      assert.equal(code, 0, `${out}\n${said}`);
      assert.match(out, last);
      assert.match(said, told);
    } finally {
      assert.equal(await server.stop(), 0);
      rmSync(project, { recursive: true });
    }
  });
}

test('the commands of docs/custody.md', { timeout: 120_000 }, async () => {
  const [single] = readFileSync(join(ROOT, 'docs/custody.md'), 'utf8').split('## All of it at once');
  const commands = [...single.matchAll(/^```bash\n(.*?)^```\n/gms)].map(([, snippet]) => snippet).join('');
  const project = mkdtempSync(join(tmpdir(), 'run-'));
  const [password, other] = ['password', 'other'].map((name) => join(project, name));
  try {
    writeFileSync(password, 'correct horse battery staple\n');
    writeFileSync(other, 'correct horse battery stapler\n');
    // What people type comes from files.
    const typed = `case "$1 $2" in
      'seeds add') set -- "$@" --new --password-file ${password} ;;
      'seeds change-password')
        ${resolve(binary)} "$@" --password-file ${password} --new-password-file ${other}
        mv ${password} ${password}.old && mv ${other} ${password} && mv ${password}.old ${other} && exit ;;
      'seeds xpub'|'seeds rename') set -- "$@" --password-file ${password} ;;
    esac`;
    writeFileSync(join(project, 'headless-wallet'), `#!/bin/sh -e\n${typed}\nexec ${resolve(binary)} "$@"\n`, { mode: 0o755 });
    const until = `${new Date().getUTCFullYear() + 1}-12-31`;
    const places = [
      ['/var/lib/headless-wallet', join(project, 'data')],
      ['/var/backups/headless-wallet.tgz', join(project, 'backup.tgz')],
      ['2027-12-31', until],
    ];
    const script = places.reduce((script, [usual, here]) => script.replaceAll(usual, here), commands);
    const { code, out, said } = await run(`export PATH="${project}:$PATH"\n${script}`, project);
    assert.equal(code, 0, `${out}\n${said}`);
    const key = 'hwk_[0-9a-f]{64}\\n';
    const till = `till: read, send; wallets shop; from 10\\.0\\.0\\.0/8; until ${until}(T00:00:00Z)?; 20 a second\\n`;
    const words = '([a-z]+ ){23}[a-z]+\\n';
    const found = out.match(new RegExp([
      `^${key}${till}${key}${key}${key}${key}${words}main  sealed .*\\n(?<xpub>xpub\\w+)\\n`,
      `there is no audit log\\n(?<again>xpub\\w+)\\ntill: .*; revoked\\nalice: .*\\nbob: .*\\nshop: .*\\n${words}$`,
    ].join('')));
    assert.ok(found, out);
    assert.equal(found.groups.again, found.groups.xpub);
    assert.match(said, /^the key "till" was revoked\nthe seed "main" is kept, sealed\n[^]*\nthe seed "shop" is kept, sealed\n$/);
  } finally {
    rmSync(project, { recursive: true });
  }
});

/** The walk-through of two users, by one: what only root can do is left out, and what is typed comes from files. */
function asOneUser(script, project, server, port) {
  writeFileSync(join(project, 'password'), 'correct horse battery staple\n');
  mkdirSync(join(project, 'etc'));
  mkdirSync(join(project, 'log'));
  const places = [
    ['/etc/', `${project}/etc/`],
    ['/var/lib/', `${project}/lib/`],
    ['/var/log/', `${project}/log/`],
    ['/run/', `${project}/run/`],
    [server.url, `http://127.0.0.1:${port}`],
    ['network = "testnet"', `network = "privatenet"\nserver = "${server.nodeUrl}"\ntx_mining_url = "${server.miningUrl}"\nhttp_port = ${port}`],
    ['seeds add main', `seeds add main --new --password-file ${project}/password`],
    ['seeds unlock', `seeds unlock --password-file ${project}/password`],
  ];
  // In the place of programs that only root can use. Processes stay the shell's own, which ends them.
  for (const [name, text] of [
    ['useradd', 'exit 0'],
    ['runuser', 'shift 3; exec "$@"'],
    ['setsid', 'exec "$@"'],
    ['install', 'args=; while [ $# -gt 0 ]; do case $1 in -o|-g) shift ;; *) args="$args $1" ;; esac; shift; done; exec /usr/bin/install $args'],
    ['id', 'exec /usr/bin/id -u'],
  ]) {
    const path = join(project, 'target/start', name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  const commands = places.reduce((script, [usual, here]) => script.replaceAll(usual, here), script);
  return `
    trap 'kill $(jobs -p)' EXIT
    export PATH="$PWD/target/start:$PATH" HEADLESS_URL=http://127.0.0.1:${port}
    ${commands}
    kill $(jobs -p)
    trap - EXIT`;
}

/** At a terminal, as who pastes has one: a command that asks there gets no answer. Other systems' `script` has other options. */
async function run(script, cwd) {
  const folder = mkdtempSync(join(tmpdir(), 'typed-'));
  const [typed, out, said] = ['typed', 'out', 'said'].map((name) => join(folder, name));
  writeFileSync(typed, `${script}\nwait`);
  const command = `bash --norc -euo pipefail '${typed}' > '${out}' 2> '${said}'`;
  const shell = process.platform === 'linux' ? ['script', '--quiet', '--return', '--command', command, '/dev/null'] : ['bash', '-c', command];
  const child = spawn(shell[0], shell.slice(1), { cwd, timeout: 110_000, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((ended) => child.on('close', ended));
  const [written, errors] = [out, said].map((path) => readFileSync(path, 'utf8'));
  rmSync(folder, { recursive: true });
  return { code, out: written, said: errors };
}

async function freePort() {
  const listener = createServer();
  await new Promise((listening) => listener.listen(0, '127.0.0.1', listening));
  const { port } = listener.address();
  await new Promise((closed) => listener.close(closed));
  return String(port);
}
