/** Environment variables and what was read from them: looked up at the first call, and never shown. */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import type { FromEnvironment, HttpOptions } from "./definition.js";

/** Shorter texts occur in any message; taking them out would only spoil it. */
const shortestSecret = 4;

/** The secrets of one service. */
export class Secrets {
  private readonly known = new Set<string>();

  constructor(
    private readonly service: string,
    private readonly env: HttpOptions["env"],
  ) {}

  /**
   * The value of a variable.
   * @throws SqlError HV000 naming the variable and the service when it is not set, empty, or of several lines
   */
  read({ env }: FromEnvironment): string {
    const value = this.lookUp(env);
    if (value === undefined || value === "") {
      throw new SqlError(sqlstate.fdwError, `service "${this.service}" needs the environment variable ${env}`, {
        detail: value === "" ? `${env} is empty.` : `${env} is not set.`,
        hint: `Set ${env} before the program starts, or pass { env: { ${env}: … } } when the resource is made.`,
      });
    }
    // The runtime's own complaint about such a header repeats its value.
    if (hasControlCharacter(value)) {
      throw new SqlError(
        sqlstate.fdwError,
        `the environment variable ${env} of service "${this.service}" holds a line break or another control character`,
        { hint: "Take care that it was not read from a file with the line's end." },
      );
    }
    this.remember(value);
    return value;
  }

  /** The value of a variable that goes into a header as it is. @throws SqlError HV000 as {@link read}, and beyond ASCII */
  readForHeader(variable: FromEnvironment): string {
    const value = this.read(variable);
    if (/^[\x20-\x7e\t]*$/.test(value) && value.trim() === value) return value;
    throw new SqlError(
      sqlstate.fdwError,
      `the environment variable ${variable.env} of service "${this.service}" holds characters that a header can't carry`,
      { hint: "A header takes ASCII, without blanks at its beginning and end." },
    );
  }

  /** Notes a text that must not be shown, in the forms that it may be repeated in. */
  remember(secret: string): void {
    if (secret.length < shortestSecret) return;
    this.known.add(secret);
    this.known.add(encodeURIComponent(secret));
    this.known.add(JSON.stringify(secret).slice(1, -1));
  }

  /** The text without any secret that was read so far. */
  readonly redact = (text: string): string => {
    let shown = text;
    for (const secret of [...this.known].sort((a, b) => b.length - a.length)) shown = shown.replaceAll(secret, "…");
    return shown;
  };

  private lookUp(name: string): string | undefined {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    const env = this.env ?? process?.env ?? {};
    return Object.hasOwn(env, name) || this.env === undefined ? env[name] : undefined;
  }
}

/** Whether a header could not carry the text in one line. */
export function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return true;
  }
  return false;
}
