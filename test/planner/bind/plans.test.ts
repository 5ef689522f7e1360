/** The plans that the binder makes: which nodes, in which order, over which expressions. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "../../../src/grammar/parse.js";
import { bind } from "../../../src/planner/bind/bind.js";
import { dumpPlan } from "../../support/dump-plan.js";
import { fakeCatalog } from "../../support/fake-catalog.js";

const catalog = fakeCatalog([readFileSync(new URL("data/schema.sql", import.meta.url), "utf8")]);

function plan(sql: string): readonly string[] {
  return dumpPlan(bind(parse(sql)[0], catalog).plan).split("\n");
}

test.each([
  {
    name: "filter and projection over a scan",
    sql: "SELECT pet, cost FROM visit WHERE cost > 5",
    lines: [
      "Project visit.pet as pet, visit.cost as cost",
      "  Filter (visit.cost > 5{numeric})",
      "    Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "a literal takes the type of the column",
    sql: "SELECT 1 FROM visit WHERE cost > '5'",
    lines: ["Project 1 as ?column?", "  Filter (visit.cost > 5)", "    Scan visit(pet, day, cost, note)"],
  },
  {
    name: "a hidden sort key is dropped again",
    sql: "SELECT pet FROM visit ORDER BY cost DESC NULLS LAST LIMIT 3",
    lines: [
      "Project visit.pet as pet",
      "  Limit fetch 3{bigint}",
      "    Sort visit.cost desc nulls last",
      "      Project visit.pet as pet, visit.cost as ?column?",
      "        Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "an output column as sort key",
    sql: "SELECT cost * 2 AS twice FROM visit ORDER BY twice",
    lines: ["Sort twice", "  Project (visit.cost * 2{numeric}) as twice", "    Scan visit(pet, day, cost, note)"],
  },
  {
    name: "grouping, HAVING, an aggregate used twice",
    sql: "SELECT pet, sum(cost) FROM visit GROUP BY pet HAVING sum(cost) > 1",
    lines: [
      "Project visit.pet as pet, sum as sum",
      "  Filter (sum > 1{numeric})",
      "    Aggregate keys (visit.pet) calls (sum(visit.cost))",
      "      Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "columns that the primary key determines are keys too",
    sql: "SELECT pet, day, note, count(*) FROM visit GROUP BY day, pet",
    lines: [
      "Project visit.pet as pet, visit.day as day, visit.note as note, count as count",
      "  Aggregate keys (visit.day, visit.pet, visit.note) calls (count(*))",
      "    Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "grouping sets",
    sql: "SELECT pet, day, count(*) FROM visit GROUP BY ROLLUP (pet, day)",
    lines: [
      "Project visit.pet as pet, visit.day as day, count as count",
      "  Aggregate keys (visit.pet, visit.day) sets [[0,1],[0],[]] calls (count(*))",
      "    Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "windows over groups, one node a specification",
    sql: "SELECT pet, rank() OVER (ORDER BY sum(cost)), sum(count(*)) OVER (), lag(pet) OVER (ORDER BY sum(cost)) FROM visit GROUP BY pet",
    lines: [
      "Project visit.pet as pet, rank as rank, sum as sum, lag as lag",
      "  Window partition () order () sum(count) range unbounded preceding to current row",
      "    Window partition () order (sum) rank() range unbounded preceding to current row, lag(visit.pet) range unbounded preceding to current row",
      "      Aggregate keys (visit.pet) calls (sum(visit.cost), count(*))",
      "        Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "set-returning functions run in step, nested ones below",
    sql: "SELECT generate_series(1, generate_series(1, 2)) + 1, unnest(ARRAY['a'])",
    lines: [
      "Project (generate_series + 1) as ?column?, unnest as unnest",
      "  ProjectSet generate_series(1, generate_series)",
      "    ProjectSet generate_series(1, 2), unnest(['a'])",
      "      Values ()",
    ],
  },
  {
    name: "a set-returning group key runs below the groups",
    sql: "SELECT unnest(tags), count(*) FROM person GROUP BY unnest(tags)",
    lines: [
      "Project unnest as unnest, count as count",
      "  Aggregate keys (unnest) calls (count(*))",
      "    ProjectSet unnest(person.tags)",
      "      Scan person(id, name, age, height, born, seen, tags, info, active, m)",
    ],
  },
  {
    name: "columns merged by FULL JOIN USING",
    sql: "SELECT pet FROM visit FULL JOIN (SELECT id AS pet FROM pet) p USING (pet)",
    lines: [
      "Project coalesce(visit.pet, pet.id) as pet",
      "  Join full on (visit.pet = pet.id)",
      "    Scan visit(pet, day, cost, note)",
      "    Project pet.id as pet",
      "      Scan pet(id, owner, name, weight, code, data)",
    ],
  },
  {
    name: "a relation as a whole is made below the outer join",
    sql: "SELECT v FROM pet LEFT JOIN visit v ON v.pet = pet.id",
    lines: [
      "Project v.* as v",
      "  Join left on (v.pet = pet.id)",
      "    Scan pet(id, owner, name, weight, code, data)",
      "    Project v.pet as pet, v.day as day, v.cost as cost, v.note as note, row(v.pet, v.day, v.cost, v.note) as v",
      "      Scan v(pet, day, cost, note)",
    ],
  },
  {
    name: "only a lateral item that reads its left side is lateral",
    sql: "SELECT 1 FROM person, unnest(tags), generate_series(1, 2)",
    lines: [
      "Project 1 as ?column?",
      "  Join inner",
      "    Join lateral inner",
      "      Scan person(id, name, age, height, born, seen, tags, info, active, m)",
      "      FunctionScan unnest(person.tags) as unnest",
      "    FunctionScan generate_series(1, 2) as generate_series",
    ],
  },
  {
    name: "IN with a list, with a query, negated",
    sql: "SELECT pet IN (1, 2), note NOT IN ('a', 'b'), pet NOT IN (SELECT id FROM pet) FROM visit",
    lines: [
      "Project (visit.pet in (1{bigint}, 2{bigint})) as ?column?, (visit.note not in ('a', 'b')) as ?column?, (not {any (visit.pet = pet.id): Project pet.id as id; Scan pet(id, owner, name, weight, code, data)}) as ?column?",
      "  Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "rows are compared field by field",
    sql: "SELECT (pet, day) = (1, '2024-01-01'), (pet, cost) < (1, 2) FROM visit",
    lines: [
      "Project ((visit.pet = 1) and (visit.day = 19723)) as ?column?, ((visit.pet, visit.cost) < (1, 2{numeric})) as ?column?",
      "  Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "a simple CASE takes its operand once",
    sql: "SELECT CASE pet WHEN 1 THEN 'a' ELSE note END FROM visit",
    lines: [
      "Project case visit.pet when (case = 1) then 'a' else visit.note end as note",
      "  Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "set operations agree on types and sort by output",
    sql: "SELECT pet FROM visit UNION SELECT '1' UNION ALL SELECT cost FROM visit ORDER BY 1",
    lines: [
      "Sort pet",
      "  union all",
      "    Project pet{numeric} as pet",
      "      union",
      "        Project visit.pet as pet",
      "          Scan visit(pet, day, cost, note)",
      "        Project 1 as ?column?",
      "          Values ()",
      "    Project visit.cost as cost",
      "      Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "a recursive CTE",
    sql: "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT n FROM t",
    lines: [
      "With",
      "  t (2 references)",
      "    Project 1 as ?column?",
      "      Values ()",
      "  recursive union all",
      "    Project (n + 1) as ?column?",
      "      Filter (n < 5)",
      "        CteScan t (work table) as t",
      "  Project n as n",
      "    CteScan t as t",
    ],
  },
  {
    name: "DISTINCT before ORDER BY, DISTINCT ON after it",
    sql: "SELECT DISTINCT ON (pet) pet, cost FROM (SELECT DISTINCT pet, cost FROM visit) v ORDER BY pet, cost DESC",
    lines: [
      "Distinct on visit.pet",
      "  Sort visit.pet, visit.cost desc",
      "    Project visit.pet as pet, visit.cost as cost",
      "      Distinct",
      "        Project visit.pet as pet, visit.cost as cost",
      "          Scan visit(pet, day, cost, note)",
    ],
  },
  {
    name: "an aggregate of outer columns belongs to the outer query",
    sql: "SELECT (SELECT max(v.cost)) FROM visit v",
    lines: [
      "Project {scalar: Project max as max; Values ()} as max",
      "  Aggregate keys () calls (max(v.cost))",
      "    Scan v(pet, day, cost, note)",
    ],
  },
  {
    name: "a view is its query",
    sql: "SELECT full_name FROM adult a WHERE id = 1",
    lines: [
      "Project person.name as full_name",
      "  Filter (person.id = 1)",
      "    Project person.id as id, person.name as full_name, person.age as age",
      "      Filter (person.age >= 18)",
      "        Scan person(id, name, age, height, born, seen, tags, info, active, m)",
    ],
  },
  {
    name: "INSERT casts to the columns and fills in defaults",
    sql: "INSERT INTO visit (pet, cost) VALUES (1, 2), ('3', DEFAULT) RETURNING pet + 1 AS next",
    lines: [
      "Write insert visit (pet, cost) default day null, note null",
      "  returning (visit.pet + 1) as next",
      "  Values (1{bigint}, 2{numeric}), (3, null)",
    ],
  },
  {
    name: "UPDATE with FROM and a row of a query",
    sql: "UPDATE visit v SET (cost, note) = (SELECT weight, name FROM pet WHERE pet.id = v.pet) FROM person p WHERE p.id = v.pet",
    lines: [
      "Write update visit (cost = row.weight{numeric}, note = row.name{text})",
      "  Project v.pet as pet, v.day as day, v.cost as cost, v.note as note, p.id as id, p.name as name, p.age as age, p.height as height, p.born as born, p.seen as seen, p.tags as tags, p.info as info, p.active as active, p.m as m, {row: Project pet.weight as weight, pet.name as name; Filter (pet.id = v.pet); Scan pet(id, owner, name, weight, code, data)} as row",
      "    Filter (p.id = v.pet)",
      "      Join inner",
      "        Scan v(pet, day, cost, note)",
      "        Scan p(id, name, age, height, born, seen, tags, info, active, m)",
    ],
  },
  {
    name: "MERGE joins the source with the marked target",
    sql: "MERGE INTO visit v USING pet p ON v.pet = p.id WHEN MATCHED AND p.weight > 1 THEN DELETE WHEN NOT MATCHED THEN INSERT (pet, day) VALUES (p.id, '2024-01-01')",
    lines: [
      "Merge visit",
      "  when matched and (p.weight > 1{double precision}) delete",
      "  when not matched insert pet = p.id, day = 19723, cost = null, note = null",
      "  Join left on (v.pet = p.id)",
      "    Scan p(id, owner, name, weight, code, data)",
      "    Project v.pet as pet, v.day as day, v.cost as cost, v.note as note, true as matched",
      "      Scan v(pet, day, cost, note)",
    ],
  },
  {
    name: "a data-modifying CTE, and one in front of a write",
    sql: "WITH gone AS (DELETE FROM visit WHERE pet = 1 RETURNING pet) INSERT INTO num (i8) SELECT pet FROM gone",
    lines: [
      "With",
      "  gone (1 references)",
      "    Write delete visit ()",
      "      returning visit.pet as pet",
      "      Filter (visit.pet = 1)",
      "        Scan visit(pet, day, cost, note)",
      "  Write insert num (i8) default i2 null, i4 null, n null, f4 null, f8 null",
      "    Project visit.pet as i8",
      "      Project visit.pet as pet",
      "        CteScan gone as gone",
    ],
  },
  {
    name: "what depends on the session stays a cast",
    sql: "SELECT '2024-01-01 00:00'::timestamptz, 'now'::date, '2024-01-01'::date",
    lines: [
      "Project '2024-01-01 00:00'::timestamp with time zone as timestamptz, 'now'::date as date, 19723 as date",
      "  Values ()",
    ],
  },
])("$name", ({ sql, lines }) => expect(plan(sql)).toEqual(lines));
