/** Type-checks generated modules under strict without writing them. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Where the files seem to lie, so that their imports are found. */
const folder = join(root, "test/codegen/import/generated");

/** @returns `file:line: message` for every fault of the files themselves */
export function typeFaults(files: ReadonlyMap<string, string>): string[] {
  const read = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
  const strict = { ...options, noEmit: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const texts = new Map([...files].map(([path, text]) => [join(folder, path), text]));
  const host = ts.createCompilerHost(strict);
  const program = ts.createProgram(
    [...texts.keys()].filter((path) => path.endsWith(".ts")),
    strict,
    {
      ...host,
      fileExists: (path) => texts.has(path) || host.fileExists(path),
      readFile: (path) => texts.get(path) ?? host.readFile(path),
      directoryExists: (path) => path.startsWith(folder) || (host.directoryExists?.(path) ?? true),
      getSourceFile: (path, language, ...rest) => {
        const text = texts.get(path);
        return text === undefined
          ? host.getSourceFile(path, language, ...rest)
          : ts.createSourceFile(path, text, language);
      },
    },
  );
  return program
    .getSourceFiles()
    .filter((file) => texts.has(file.fileName))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map((fault) => {
      const { line } = fault.file?.getLineAndCharacterOfPosition(fault.start ?? 0) ?? { line: 0 };
      return `${fault.file?.fileName.slice(folder.length + 1)}:${line + 1}: ${ts.flattenDiagnosticMessageText(fault.messageText, " ")}`;
    });
}
