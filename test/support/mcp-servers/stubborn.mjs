/** A server that ignores the end of its input and SIGTERM: it has to be killed. */
import { pathToFileURL } from "node:url";

process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
process.argv[1] = new URL("./tools.mjs", import.meta.url).pathname;
console.log("this line is no message of the protocol");
await import(pathToFileURL(process.argv[1]).href);
