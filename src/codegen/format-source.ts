/** Formats generated TypeScript, so that the output does not depend on how the emitters laid it out. */
import type { ts as TypeScript } from "ts-morph";
import { optionalPeer } from "./peers.js";

type TsMorph = typeof import("ts-morph");

/** Formats files; one for a whole run, since a project takes long to make. */
export interface Formatter {
  /**
   * The file with two-space indentation, semicolons, and trailing blanks gone.
   * @throws Error when the text is no TypeScript: whatever the manifest says, that is the generator's fault
   */
  format(path: string, text: string): string;
}

export async function createFormatter(): Promise<Formatter> {
  const { Project, IndentationText, ts } = await optionalPeer<TsMorph>("ts-morph", () => import("ts-morph"));
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces },
  });
  return {
    format(path, text) {
      const file = project.createSourceFile(path, text, { overwrite: true });
      // The parser keeps what it found wrong beside the tree, where the public types do not tell; a program would take longer.
      const { parseDiagnostics } = file.compilerNode as unknown as {
        parseDiagnostics: readonly TypeScript.Diagnostic[];
      };
      if (parseDiagnostics.length > 0) {
        const reason = ts.flattenDiagnosticMessageText(parseDiagnostics[0].messageText, "\n");
        throw new Error(`${path} would not be TypeScript: ${reason}`);
      }
      file.formatText({
        indentSize: 2,
        ensureNewLineAtEndOfFile: true,
        semicolons: ts.SemicolonPreference.Insert,
      });
      const formatted = `${file
        .getFullText()
        .replaceAll(/[ \t]+$/gm, "")
        .trimEnd()}\n`;
      file.forget();
      return formatted;
    },
  };
}
