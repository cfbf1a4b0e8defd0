// Sealing secrets with a password, and the list of words.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PKG } from "./support/package.mjs";

const { generateMnemonic, isWalletError, openSecret, sealSecret, wordList } = await import(`${PKG}/node.mjs`);
const { vaults } = JSON.parse(readFileSync(new URL("../vectors/vaults.json", import.meta.url), "utf8"));

/** What a call throws. */
function thrown(call) {
  try {
    call();
  } catch (error) {
    assert.ok(isWalletError(error));
    const { name, code, field, message } = error;
    return { name, code, field, message };
  }
  return assert.fail("nothing was thrown");
}

test("what is sealed opens with its password, and other people's vaults do", () => {
  const words = generateMnemonic();
  assert.equal(openSecret(sealSecret(words, "a pässword"), "a pässword"), words);
  for (const { sealed, password, secret } of vaults) assert.equal(openSecret(sealed, password), secret);
});

test("a wrong password and a damaged vault are told apart", () => {
  const [, { sealed, password }] = vaults;
  assert.deepEqual(thrown(() => openSecret(sealed, `${password}!`)), {
    name: "VaultError",
    code: "WRONG_PASSWORD",
    field: undefined,
    message: "the password is wrong, or what was stored was changed",
  });
  assert.deepEqual(thrown(() => openSecret(sealed.slice(0, 40), password)), {
    name: "VaultError",
    code: "VAULT_UNREADABLE",
    field: undefined,
    message: "what was stored can't be read: it is damaged, or of another version",
  });
});

test("what is no text is refused by name", () => {
  const refusal = (field) => ({ name: "InputError", code: "INVALID_INPUT", field, message: `${field} must be a string` });
  assert.deepEqual(thrown(() => sealSecret(1, "p")), refusal("secret"));
  assert.deepEqual(thrown(() => sealSecret("s")), refusal("password"));
  assert.deepEqual(thrown(() => openSecret(null, "p")), refusal("sealed"));
  assert.deepEqual(thrown(() => openSecret("s", {})), refusal("password"));
  assert.equal(thrown(() => sealSecret("s\0", "p")).message, "secret must not end in a zero character");
});

test("the list of words is the English one", () => {
  const list = wordList();
  assert.equal(list.length, 2_048);
  assert.deepEqual([list[0], list[2_047]], ["abandon", "zoo"]);
  assert.ok(generateMnemonic().split(" ").every((word) => list.includes(word)));
});
