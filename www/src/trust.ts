// The page's policy lets no text become markup or a script's address, unless it goes through here: and here, only addresses of
// the page's own place go through, which its worker needs.

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown;
}

export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy("default", {
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin) throw new TypeError("a script of another place");
      return url;
    },
  });
}
