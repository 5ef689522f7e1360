/**
 * Statements that a resolver runs while it is asked for rows, or the host while it is asked for its approval. In the session of the statement that asks, such a statement
 * would wait for its end, and that for the resolver: neither would ever answer. They are told by two signs: the statement is
 * begun before the resolver has first waited for something, or it is given the signal of the resolver's call.
 */

/** The statement that a signal was handed out for. */
const statements = new WeakMap<AbortSignal, object>();
let invoking: object | undefined;
const refusals = new WeakSet<object>();

/**
 * Runs a part of a resolver.
 * @param statement what stands for the statement that asks
 * @param signal the one that the resolver gets
 */
export function invokedBy<T>(statement: object, signal: AbortSignal, call: () => T): T {
  statements.set(signal, statement);
  const before = invoking;
  invoking = statement;
  try {
    return call();
  } finally {
    invoking = before;
  }
}

/**
 * The statement in whose call a further one is begun, as far as that can be told.
 * @param signal the one that the further statement is given
 */
export function statementBehind(signal: AbortSignal | undefined): object | undefined {
  return (signal === undefined ? undefined : statements.get(signal)) ?? invoking;
}

/** Notes the error that a statement is refused with because it would wait for itself. @returns the error */
export function nestedRefusal<E extends object>(error: E): E {
  refusals.add(error);
  return error;
}

/** Whether {@link nestedRefusal} noted the error: it speaks of the resolver that ran into it. */
export function isNestedRefusal(error: object): boolean {
  return refusals.has(error);
}
