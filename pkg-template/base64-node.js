// The same for Node.
import { provide } from "./load.js";
import { loadSockets } from "./node-sockets.js";

export * from "./base64.js";

provide({ connect: loadSockets });
