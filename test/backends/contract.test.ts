/** The backends of the package against the contract. */
import { MemoryBackend } from "../../src/sql.js";
import { describeBackend } from "../support/backend-contract.js";
import { emptyPglite } from "../support/pglite.js";

describeBackend("MemoryBackend", () => MemoryBackend.create());
describeBackend("PgliteBackend", () => emptyPglite());
