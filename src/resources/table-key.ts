/** Names a table in maps; a name with a dot is none of another schema. */
export function tableKey({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return JSON.stringify([schema, name]);
}
