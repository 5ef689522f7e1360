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
  // One by one: a quoted title may hold what looks like a relation.
  const parameter = /;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+)))?/g;
  for (const [, name, quoted, plain] of parameters.matchAll(parameter)) {
    if (name.toLowerCase() === "rel") return (quoted ?? plain ?? "").toLowerCase().split(/\s+/);
  }
  return [];
}
