/** Starts a private PostgreSQL 15 on a free port of 127.0.0.1, in a temporary folder that goes with it. */
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";

const version = 15;

export interface PostgresServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** The folder of `initdb` and `postgres`: PG_BIN, PATH, or where Debian's package puts them; `undefined` when there is none. */
export function postgresBinaries(): string | undefined {
  const debian = path.join("/usr/lib/postgresql", String(version), "bin");
  const places = [process.env.PG_BIN, debian, ...(process.env.PATH ?? "").split(path.delimiter)];
  return places.find((place) => place && ["initdb", "postgres"].every((name) => existsSync(path.join(place, name))));
}

export const noPostgres = `There is no PostgreSQL ${version} here: set PG_BIN to the folder with initdb and postgres, or name the port of a running server.`;

/** @throws Error when there are no binaries, or the server does not start */
export async function startPostgres(): Promise<PostgresServer> {
  const binaries = postgresBinaries();
  if (binaries === undefined) throw new Error(noPostgres);
  const user = unprivilegedUser();
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), "scratchpad-pg-"));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, "data");
  const initArgs = ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"];
  const locale = ["--lc-collate=C", "--lc-ctype=C.UTF-8", "--lc-messages=C"];
  const made = spawnSync(path.join(binaries, "initdb"), [...initArgs, ...locale], {
    ...user,
    encoding: "utf8",
    cwd: folder,
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const serverArgs = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-F"];
  const child = spawn(path.join(binaries, "postgres"), [...serverArgs, ...serverSettings.flatMap((s) => ["-c", s])], {
    ...user,
    cwd: folder,
    stdio: "ignore",
  });
  let exited = false;
  child.once("exit", () => {
    exited = true;
  });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // also when the program ends by an error: an immediate shutdown, the data are of no use
  process.once("exit", () => {
    if (exited) return;
    child.kill("SIGQUIT");
    remove();
  });
  await ready(port, () => exited);
  return {
    port,
    async stop() {
      const ended = new Promise<void>((resolve) => (exited ? resolve() : child.once("exit", () => resolve())));
      child.kill("SIGINT");
      await ended;
      remove();
    },
  };
}

const serverSettings = [
  "autovacuum=off",
  "jit=off",
  "logging_collector=off",
  "log_min_messages=panic",
  "max_parallel_workers_per_gather=0",
  "shared_buffers=64MB",
];

async function ready(port: number, exited: () => boolean): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ host: "127.0.0.1", port, user: "postgres", database: "postgres" });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (exited() || tries > 150) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** The server refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const uid = spawnSync("id", ["-u", name], { encoding: "utf8" });
    const gid = spawnSync("id", ["-g", name], { encoding: "utf8" });
    if (uid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  throw new Error("There is no unprivileged user to run PostgreSQL as.");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
