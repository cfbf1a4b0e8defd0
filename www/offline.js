// Has the page open without a connection: its files are kept when it is opened for the first time. What the wallet asks its node, and all
// else, goes to the network as if this were not there. `FILES` and `VERSION` are put before this when the page is built.
const CACHE = `page-${VERSION}`;

self.addEventListener("install", (event) => {
  // Anew from the server: the browser's own cache may have the page of before.
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("page-") && name !== CACHE;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const kept = () => caches.open(CACHE).then((cache) => cache.match(request.mode === "navigate" ? "./" : request));
  // The page itself comes from its server while there is one: so a new version is seen at once, and other pages at this place are let be.
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(async () => (await kept()) ?? Response.error()));
  else if (FILES.some((file) => new URL(file, location.href).href === url.href)) {
    event.respondWith(kept().then((response) => response ?? fetch(request)));
  }
});
