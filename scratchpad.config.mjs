// What `npx glove-scratchpad` opens in this folder: the tables of the demo.
export { openDatabase as default } from "./examples/scratchpad-agent/database.js";
