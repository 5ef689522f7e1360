/** `glove-gen import …`: manifests from other descriptions of services. */
import type { CAC } from "cac";

/** Adds the import commands to the command line. */
export function addImportCommands(_cli: CAC): void {}
