/** Formats generated TypeScript, so that the output does not depend on how the emitters laid it out. */
import { optionalPeer } from "./peers.js";

type TsMorph = typeof import("ts-morph");

/** The file with two-space indentation, double quotes as written, and trailing blanks gone. */
export async function formatSource(path: string, text: string): Promise<string> {
  const { Project, IndentationText } = await optionalPeer<TsMorph>("ts-morph", () => import("ts-morph"));
  const project = new Project({
    useInMemoryFileSystem: true,
    manipulationSettings: { indentationText: IndentationText.TwoSpaces },
  });
  const file = project.createSourceFile(path, text);
  file.formatText({ indentSize: 2, ensureNewLineAtEndOfFile: true });
  return `${file.getFullText().trimEnd()}\n`;
}
