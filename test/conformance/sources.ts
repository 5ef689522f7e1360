/** Every source of cases by name: the corpora, the statements of models, the project's own cases, and variants with parameters. */
import { corpusSources, type Group, readCorpus } from "./corpus.js";
import { modelSubjects, readModelCases } from "./model-cases.js";
import { ownGroups } from "./own-cases.js";
import { withParameters } from "./parameters.js";

export interface Source {
  readonly name: string;
  read(): Group[] | Promise<Group[]>;
}

/** Sources whose cases are run a second time with parameters. */
const parameterised = ["pg_regress", "pg_regress_dml", "text2sql"] as const;

export const sources: readonly Source[] = [
  ...corpusSources.map((name) => ({ name, read: () => readCorpus(name) })),
  ...modelSubjects.map((subject) => ({ name: subject, read: () => [readModelCases(subject)] })),
  { name: "own", read: ownGroups },
  ...parameterised.map((name) => ({ name: `${name} $n`, read: () => withParameters(readCorpus(name)) })),
];

/** The sources of a comma-separated list; a name without its variant means all of them (`model-sql`, `pg_regress`). */
export function chosenSources(list: string | undefined): readonly Source[] {
  if (list === undefined) return sources;
  return list.split(",").flatMap((word) => {
    const name = word.trim();
    const found = sources.filter((source) => source.name === name || source.name.startsWith(`${name} `));
    if (found.length > 0) return found;
    throw new Error(`There is no source "${name}": ${sources.map((source) => source.name).join(", ")}.`);
  });
}
