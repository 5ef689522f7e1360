/** One PGlite for a whole test process, since creating one takes seconds; each taker gets it empty. */
import { PgliteBackend } from "../../src/backends/pglite.js";

let shared: Promise<PgliteBackend> | undefined;

/** The shared database, emptied, and as it is set up at first. */
export async function emptyPglite(): Promise<PgliteBackend> {
  shared ??= PgliteBackend.create();
  const backend = await shared;
  await backend.exec("ROLLBACK");
  await backend.exec("DISCARD ALL");
  await backend.exec(
    "DROP SCHEMA public CASCADE; CREATE SCHEMA public; SET TimeZone = 'UTC'; SET extra_float_digits = 1",
  );
  return backend;
}
