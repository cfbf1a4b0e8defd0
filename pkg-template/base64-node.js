// The same for Node.
import { provideSockets } from "./core.js";
import { loadSockets } from "./node-sockets.js";

export * from "./base64.js";

provideSockets(loadSockets);
