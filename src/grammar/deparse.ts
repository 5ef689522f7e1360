export function quoteName(name: string): string { return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name}"`; }
export function deparse(_: unknown): string { throw new Error("not yet"); }
