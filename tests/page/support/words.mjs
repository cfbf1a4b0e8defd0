// What a dictionary of the page says.

/** What a dictionary says, by where it stands: of what is filled in, as it is with a one and with marks. */
export function saidBy(dictionary, path = "") {
  return Object.entries(dictionary).flatMap(([key, value]) => {
    const here = path === "" ? key : `${path}.${key}`;
    if (typeof value === "object") return saidBy(value, here);
    if (typeof value === "string") return [[here, value]];
    const filled = [...value.toString().split("=>")[0].matchAll(/(\w+)(?=[,)]| *=)/g)].map(([, name]) =>
      name === "places" ? [1, 2] : name === "link" ? (said) => said : /^(n|count|number|index|place|most|over|missing|length|filled|all|status)$|s$/.test(name) ? 1 : "‹›",
    );
    return [[here, [value(...filled)].flat(9).join("")]];
  });
}
