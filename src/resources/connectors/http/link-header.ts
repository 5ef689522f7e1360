/** The `Link` header of an answer. Source: RFC 8288, sections 3 and B.2. */

/**
 * The target of the first link whose relation is `next`; `undefined` when there is none.
 * Targets may hold commas and semicolons, parameters may be quoted and of several relations (`rel="next last"`).
 */
export function nextLink(header: string | null): string | undefined {
  const link = /\s*<([^>]*)>((?:\s*;\s*[\w!#$&+\-.^`|~*]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s";,]+))?)*)\s*(?:,|$)/gy;
  const text = header ?? "";
  for (let match = link.exec(text); match !== null && match[0] !== ""; match = link.exec(text)) {
    if (relationsOf(match[2]).includes("next")) return match[1];
  }
  return undefined;
}

function relationsOf(parameters: string): string[] {
  const rel = /;\s*rel\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+))/i.exec(parameters);
  return (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/);
}
