/**
 * How tightly operators bind, lowest first. The parser reads by these levels and the deparser sets parentheses by them.
 * Source: PostgreSQL 15, 4.1.6 "Operator Precedence", and the declarations in its grammar.
 */
export const level = {
  or: 1,
  and: 2,
  not: 3,
  is: 4,
  comparison: 5,
  predicate: 6,
  escape: 7,
  operator: 8,
  additive: 9,
  multiplicative: 10,
  power: 11,
  at: 12,
  collate: 13,
  sign: 14,
  cast: 16,
  overlaps: 17,
  /** Everything that needs no parentheses anywhere. */
  atom: 20,
} as const;
