/** Small tables that the engine's tests query: the same rows are in memory here and, when answers are recorded, in PostgreSQL. */

export interface TestTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Record<string, unknown>[];
  readonly primaryKey: readonly string[];
}

/** A small generator of numbers, so that every run has the same rows. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

const next = generator(42);
const cities = ["Bern", "Köln", "Łódź", "bern", "Oslo", "Zürich", "", "Paris"];
const names = ["Ada", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal", "Ina", "Jon"];
const maybe = <T>(value: T, oneIn = 8): T | null => (next(oneIn) === 0 ? null : value);

const people = Array.from({ length: 40 }, (_, i) => ({
  id: i + 1,
  name: names[next(names.length)] + (i % 3 === 0 ? "" : String(i % 7)),
  age: maybe(18 + next(50)),
  city: maybe(cities[next(cities.length)]),
  score: maybe(next(1000) / 8 - 30),
  joined: maybe(`2024-0${1 + next(9)}-1${next(10)}T0${next(10)}:30:00${next(2) === 0 ? "Z" : ".25Z"}`),
  tags: maybe({ level: next(4), label: ["red", "green", null, "blue"][next(4)], list: [next(3), next(3)] }),
  manager: i === 0 ? null : maybe(1 + next(i)),
}));

const orders = Array.from({ length: 90 }, (_, i) => ({
  id: i + 1,
  person: maybe(1 + next(45)),
  amount: maybe((next(100000) - 2000) / 100),
  placed: maybe(`2024-0${1 + next(9)}-0${1 + next(9)}`),
  status: maybe(["open", "paid", "sent", "void"][next(4)]),
  quantity: maybe(next(12)),
  big: maybe(next(5) === 0 ? 9007199254740000 + next(900) : next(1000)),
}));

const events = Array.from({ length: 30 }, (_, i) => ({
  at: `2024-03-0${1 + (i % 5)}T${10 + (i % 10)}:00:00`,
  kind: maybe(["start", "stop", "tick"][next(3)]),
  n: maybe(next(7) - 3),
  ok: maybe(next(2) === 0),
}));

export const tables: readonly TestTable[] = [
  {
    name: "people",
    primaryKey: ["id"],
    columns: [
      { name: "id", type: "int4" },
      { name: "name", type: "text" },
      { name: "age", type: "int4" },
      { name: "city", type: "text" },
      { name: "score", type: "float8" },
      { name: "joined", type: "timestamptz" },
      { name: "tags", type: "jsonb" },
      { name: "manager", type: "int4" },
    ],
    rows: people,
  },
  {
    name: "orders",
    primaryKey: ["id"],
    columns: [
      { name: "id", type: "int4" },
      { name: "person", type: "int4" },
      { name: "amount", type: "numeric" },
      { name: "placed", type: "date" },
      { name: "status", type: "text" },
      { name: "quantity", type: "int2" },
      { name: "big", type: "int8" },
    ],
    rows: orders,
  },
  {
    name: "events",
    primaryKey: [],
    columns: [
      { name: "at", type: "timestamp" },
      { name: "kind", type: "text" },
      { name: "n", type: "int2" },
      { name: "ok", type: "bool" },
    ],
    rows: events,
  },
  {
    name: "nothing",
    primaryKey: [],
    columns: [
      { name: "x", type: "int4" },
      { name: "y", type: "text" },
    ],
    rows: [],
  },
];
