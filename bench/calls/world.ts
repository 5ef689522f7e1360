/** Resources that answer after 50 ms and count their calls. */
import { setTimeout as sleep } from "node:timers/promises";
import type {
  Database as DatabaseType,
  defineResource as defineResourceType,
  ResourceTable,
  Row,
} from "../../src/index.js";
import { answerMs } from "./shapes.js";

/** The built package, as far as the benchmark uses it. */
export interface Package {
  readonly Database: typeof DatabaseType;
  readonly defineResource: typeof defineResourceType;
}

export interface World {
  readonly db: DatabaseType;
  calls: number;
}

/** A fresh database: no plan, no answer and no statistics of an earlier run. */
export async function makeWorld({ Database, defineResource }: Package): Promise<World> {
  const world: World = { db: await Database.create({ policy: { writes: true } }), calls: 0 };
  const table = (
    name: string,
    columns: string[],
    keys: string[],
    rows: (one: (column: string) => number) => Row[],
    more: Partial<ResourceTable> = {},
  ) =>
    world.db.register(
      defineResource({
        name,
        volatility: "stable",
        columns: columns.map((column) => ({ name: column, type: "bigint", requiredKey: keys.includes(column) })),
        select: async (bindings: { all(column: string): number[] }, { signal }: { signal: AbortSignal }) => {
          world.calls += 1;
          await sleep(answerMs, undefined, { signal });
          return rows((column) => bindings.all(column)[0] ?? 0);
        },
        ...more,
      } as never),
    );
  for (const name of ["a", "b", "c"]) table(name, ["id"], [], () => [{ id: 1 }, { id: 2 }]);
  table("item", ["id", "grp"], [], (one) =>
    Array.from({ length: one("grp") }, (_, i) => ({ id: i + 1, grp: one("grp") })),
  );
  table("part", ["item_id", "ref"], ["item_id"], (one) =>
    [1, 2].map((n) => ({ item_id: one("item_id"), ref: one("item_id") * 10 + n })),
  );
  table("leaf", ["id"], ["id"], (one) => [{ id: one("id") }]);
  table("pair", ["x", "y"], ["x", "y"], (one) => [{ x: one("x"), y: one("y") }]);
  const shared: Partial<ResourceTable> = { scope: "shop", rateLimit: { perSecond: 20, burst: 5 } };
  for (const name of ["left_shop", "right_shop"]) table(name, ["id"], ["id"], (one) => [{ id: one("id") }], shared);
  table("bulk", ["id"], ["id"], () => [], {
    batch: { keys: 50 },
    select: async (bindings, { signal }) => {
      world.calls += 1;
      await sleep(answerMs, undefined, { signal });
      return bindings.all("id").map((id) => ({ id }));
    },
  });
  table("page", ["n"], [], () => [], {
    accepts: { limit: true },
    async *select(_, { signal }) {
      world.calls += 1;
      for (let page = 0; page < 10; page++) {
        await sleep(answerMs, undefined, { signal });
        yield Array.from({ length: 5 }, (__, i) => ({ n: page * 5 + i }));
      }
    },
  });
  table("sink", ["id", "ref"], [], () => [], { insert: () => undefined });
  return world;
}
