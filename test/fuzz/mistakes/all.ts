/** All mistakes. */
import type { Mistake } from "./mistake.js";
import { nameMistakes } from "./names.js";
import { syntaxMistakes } from "./syntax.js";
import { typeMistakes } from "./types.js";
import { valueMistakes } from "./values.js";

export const mistakes: readonly Mistake[] = [...nameMistakes, ...typeMistakes, ...valueMistakes, ...syntaxMistakes];
