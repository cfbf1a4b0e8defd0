// Passes node.cjs on, so that `import` and `require` give the same instance.
export * from "./node.cjs";
