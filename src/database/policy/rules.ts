/**
 * The rules of a policy, found by the table or function that they speak of. All that match hold together: a denial wins,
 * verbs are those that every rule has, row filters hold side by side, and of two masks the one that shows less is taken.
 */
import type { Verb } from "../../catalog/table.js";
import type { Policy, TableRule } from "../types.js";
import { isPattern, namesOfTable, PatternMap } from "./pattern.js";

/** A rule that decided, as messages name it: `policy.relations.deny: "vault_*"`. */
export type Decision = string;

/** Names a table or a function: schema and name. */
export interface Named {
  readonly schema: string;
  readonly name: string;
}

/** A rule of `policy.tables` that matches a table. */
export interface MatchedRule {
  /** `policy.tables["crm_*"]` */
  readonly path: string;
  /** The rule is under the table's own name, not under a pattern. */
  readonly isNamed: boolean;
  readonly rule: TableRule;
}

interface Lists {
  readonly allow: PatternMap<Decision> | undefined;
  readonly allowText: string;
  readonly deny: PatternMap<Decision>;
}

/** Answers by name only: whether there is such a table or function plays no part. */
export class Rules {
  private readonly relations: Lists;
  private readonly functions: Lists;
  private readonly tables: PatternMap<MatchedRule>;

  /** @param policy checked */
  constructor(policy: Policy) {
    this.relations = listsOf("relations", policy.relations);
    this.functions = listsOf("functions", policy.functions);
    this.tables = new PatternMap(
      Object.entries(policy.tables ?? {}).map(([name, rule]) => {
        const path = `policy.tables[${JSON.stringify(name)}]`;
        return [name, { path, isNamed: !isPattern(name), rule }] as const;
      }),
    );
  }

  /** Whether no rule speaks of a table. */
  get isEmpty(): boolean {
    return this.relations.allow === undefined && this.relations.deny.isEmpty && this.tables.isEmpty;
  }

  /** Whether any function is refused. */
  get refusesFunctions(): boolean {
    return this.functions.allow !== undefined || !this.functions.deny.isEmpty;
  }

  /** The rule that denies a relation by its name; whether there is such a relation plays no part. */
  denialOf(relation: Named): Decision | undefined {
    return this.relations.deny.of(namesOfTable(relation))[0];
  }

  /** The rule by which statements may not name a relation. */
  hides(relation: Named): Decision | undefined {
    return decide(this.relations, namesOfTable(relation));
  }

  /** The rule by which statements may not call a function; those of the library and the host's own go by their names alone. */
  refusesFunction({ schema, name }: Named): Decision | undefined {
    return decide(this.functions, [schema === "pg_catalog" || schema === "public" ? name : `${schema}.${name}`]);
  }

  /** The rules of `policy.tables` for a table, in the order of the policy. */
  of(table: Named): readonly MatchedRule[] {
    return this.tables.isEmpty ? [] : this.tables.of(namesOfTable(table));
  }

  /** The rule by which a verb may not be used on a table. */
  refusesVerb(table: Named, verb: Verb): Decision | undefined {
    const refusing = this.of(table).find(({ rule }) => rule.verbs !== undefined && !rule.verbs.includes(verb));
    if (refusing === undefined) return undefined;
    const verbs = (refusing.rule.verbs ?? []).map((item) => item.toUpperCase()).join(", ");
    return `${refusing.path}.verbs, which allows ${verbs === "" ? "none" : verbs}`;
  }
}

function listsOf(kind: "relations" | "functions", lists: Policy["relations"] = {}): Lists {
  const entries = (list: "allow" | "deny") =>
    new PatternMap(
      (lists[list] ?? []).map((name) => [name, `policy.${kind}.${list}: ${JSON.stringify(name)}`] as const),
    );
  return {
    allow: lists.allow === undefined ? undefined : entries("allow"),
    allowText: `policy.${kind}.allow, which does not list it`,
    deny: entries("deny"),
  };
}

function decide({ allow, allowText, deny }: Lists, names: readonly string[]): Decision | undefined {
  const [denied] = deny.of(names);
  if (denied !== undefined) return denied;
  return allow === undefined || allow.of(names).length > 0 ? undefined : allowText;
}
