// Shows how far the build is, and loads the wallet when it is there.
const part = (id) => document.getElementById(id);

function show({ text, done, of, server, failed }) {
  part("text").textContent = text;
  part("text").classList.toggle("failed", failed === true);
  if (failed) part("title").textContent = "The wallet can't be built";
  part("again").hidden = failed !== true;
  part("bar").hidden = part("note").hidden = failed === true;
  if (of) {
    part("bar").max = of;
    part("bar").value = done;
  } else {
    part("bar").removeAttribute("value");
  }
  part("server").hidden = !server;
  if (server) part("docs").href = new URL("docs/ui", server).href;
}

async function look() {
  try {
    const building = await (await fetch("/building.json", { cache: "no-store" })).json();
    if (building === null) return location.reload();
    show(building);
  } catch {
    part("text").textContent = "npm start has ended: start it again.";
  }
  setTimeout(look, 1000);
}

look();
