// What the page may do, told to the browser twice: in the page itself, so that it holds wherever the page is hosted, and in
// the header that `serve.mjs` sends.
//
// Scripts, styles and workers come from the page's own place, and no text becomes markup (trusted types). Connections go
// anywhere, because the node and the mining service are the user's choice. Pictures of NFTs come from anywhere too, but are
// asked for only after a click.
const POLICY = {
  "default-src": "'none'",
  "script-src": "'self' 'wasm-unsafe-eval'",
  "worker-src": "'self'",
  "style-src": "'self'",
  "font-src": "'self'",
  "manifest-src": "'self'",
  "img-src": "'self' data: https:",
  "connect-src": "'self' http: https: ws: wss:",
  "base-uri": "'none'",
  "form-action": "'none'",
  "require-trusted-types-for": "'script'",
  "trusted-types": "default",
};

const join = (policy) => Object.entries(policy).map(([name, value]) => `${name} ${value}`).join("; ");

export const metaPolicy = join(POLICY);
/** A page can't say this of itself: only the header can. */
export const headerPolicy = join({ ...POLICY, "frame-ancestors": "'none'" });
