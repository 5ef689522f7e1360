/**
 * One-token lookahead from first sets that are computed once a rule.
 *
 * Chevrotain's own LL(k) strategy enumerates paths, which costs most of a parser's construction; a grammar that decides on
 * one token needs sets only. Every decision can also be noted, which is how a syntax error learns what was possible:
 * the statement is parsed a second time with noting on, and the decisions at the failing token are the answer.
 */
import {
  Alternation,
  type ILookaheadStrategy,
  type IOrAlt,
  type IProduction,
  LLkLookaheadStrategy,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  type Rule,
  Terminal,
  type TokenType,
} from "chevrotain";
import type { SqlToken } from "../lexer.js";

/** What a decision needs of the parser. */
interface Reader {
  LA(howMuch: number): SqlToken;
}

type OptionalKind =
  | "Option"
  | "RepetitionMandatory"
  | "RepetitionMandatoryWithSeparator"
  | "Repetition"
  | "RepetitionWithSeparator";

interface First {
  readonly tokens: Set<TokenType>;
  readonly nullable: boolean;
}

/** Chevrotain's lookahead strategy over first sets. */
export class FirstSetLookahead implements ILookaheadStrategy {
  private readonly ofRule = new Map<Rule, First>();
  /** Called with every decision while it is set: the token it was made on and the tokens it could have taken. */
  note: ((token: SqlToken, possible: ReadonlySet<TokenType>) => void) | undefined;

  /** The parser that decides; set when it has been built. */
  reader: Reader | undefined;

  /** Validation is Chevrotain's own; it runs in a test. */
  validate(options: Parameters<ILookaheadStrategy["validate"]>[0]): ReturnType<ILookaheadStrategy["validate"]> {
    return new LLkLookaheadStrategy({ maxLookahead: 1 }).validate(options);
  }

  buildLookaheadForAlternation(options: {
    prodOccurrence: number;
    rule: Rule;
    hasPredicates: boolean;
  }): (alternatives?: IOrAlt<unknown>[]) => number | undefined {
    const production = find(options.rule, "Alternation", options.prodOccurrence);
    const possible = this.firstOfSequence([production]).tokens;
    const table: number[][] = [];
    production.definition.forEach((alternative, index) => {
      const first = this.firstOfSequence([alternative]);
      // One token could not tell an empty alternative from the end of the production.
      if (first.nullable)
        throw new Error(`alternative ${index + 1} of an OR in rule ${options.rule.name} may be empty`);
      for (const id of idsOf(first.tokens)) {
        if (table[id] === undefined) table[id] = [index];
        else if (!table[id].includes(index)) table[id].push(index);
      }
    });
    if (!options.hasPredicates) {
      const choice = table.map((indexes) => indexes[0]);
      return () => choice[this.look(possible).tokenTypeIdx];
    }
    return (alternatives) => {
      const candidates = table[this.look(possible).tokenTypeIdx];
      return candidates?.find((index) => alternatives?.[index].GATE?.() !== false);
    };
  }

  buildLookaheadForOptional(options: { prodOccurrence: number; prodType: OptionalKind; rule: Rule }): () => boolean {
    const production = find(options.rule, options.prodType, options.prodOccurrence);
    const possible = this.firstOfSequence(production.definition).tokens;
    const table: boolean[] = [];
    for (const id of idsOf(possible)) table[id] = true;
    return () => table[this.look(possible).tokenTypeIdx] === true;
  }

  /** The tokens a rule may begin with, once it has been asked for. */
  firstOfRule(rule: Rule): ReadonlySet<TokenType> {
    return this.firstOfSequence(rule.definition).tokens;
  }

  private look(possible: ReadonlySet<TokenType>): SqlToken {
    const token = (this.reader as Reader).LA(1);
    if (this.note !== undefined) this.note(token, possible);
    return token;
  }

  private firstOfSequence(sequence: readonly IProduction[]): First {
    const tokens = new Set<TokenType>();
    for (const production of sequence) {
      const first = this.firstOf(production);
      for (const token of first.tokens) tokens.add(token);
      if (!first.nullable) return { tokens, nullable: false };
    }
    return { tokens, nullable: true };
  }

  private firstOf(production: IProduction): First {
    if (production instanceof Terminal) return { tokens: new Set([production.terminalType]), nullable: false };
    if (production instanceof NonTerminal) {
      const rule = production.referencedRule;
      let first = this.ofRule.get(rule);
      if (first === undefined) {
        first = this.firstOfSequence(rule.definition);
        this.ofRule.set(rule, first);
      }
      return first;
    }
    if (production instanceof Alternation) {
      const tokens = new Set<TokenType>();
      let nullable = false;
      for (const alternative of production.definition) {
        const first = this.firstOfSequence(definitionOf(alternative));
        for (const token of first.tokens) tokens.add(token);
        nullable ||= first.nullable;
      }
      return { tokens, nullable };
    }
    const first = this.firstOfSequence(definitionOf(production));
    const optional =
      production instanceof Option || production instanceof Repetition || production instanceof RepetitionWithSeparator;
    return optional ? { tokens: first.tokens, nullable: true } : first;
  }
}

/** What stands inside a production of the same rule. */
function definitionOf(production: IProduction): IProduction[] {
  const isLeaf = production instanceof Terminal || production instanceof NonTerminal;
  return isLeaf ? [] : (production as unknown as { definition: IProduction[] }).definition;
}

const kinds = {
  Alternation,
  Option,
  Repetition,
  RepetitionWithSeparator,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
} as const;

/** The production of a rule that a DSL call such as `OPTION2` stands for. */
function find<K extends keyof typeof kinds>(rule: Rule, kind: K, occurrence: number): InstanceType<(typeof kinds)[K]> {
  const wanted = kinds[kind];
  const pending: IProduction[] = [...rule.definition];
  for (let production = pending.pop(); production !== undefined; production = pending.pop()) {
    if (production instanceof wanted && (production as { idx: number }).idx === occurrence) {
      return production as InstanceType<(typeof kinds)[K]>;
    }
    pending.push(...definitionOf(production));
  }
  throw new Error(`no ${kind} ${occurrence} in rule ${rule.name}`);
}

/** Ids of the tokens, and of the members of those that are categories. */
function idsOf(tokens: ReadonlySet<TokenType>): number[] {
  const ids: number[] = [];
  for (const token of tokens) ids.push(token.tokenTypeIdx as number, ...(token.categoryMatches ?? []));
  return ids;
}
