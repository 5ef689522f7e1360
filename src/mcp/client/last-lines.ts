/** Keeps the last lines of a stream of text, for the error message of a program that has died. */

const maxLines = 12;
const maxLineLength = 300;

/** The end of what a server wrote to its standard error. */
export class LastLines {
  private lines: string[] = [];
  private open = "";

  /** Adds a piece of text as it arrives; lines may be cut anywhere. */
  add(text: string): void {
    const pieces = (this.open + text).split("\n");
    this.open = (pieces.pop() ?? "").slice(-maxLineLength);
    this.lines = [...this.lines, ...pieces].slice(-maxLines);
  }

  /** The last lines, without empty ones. */
  text(): string {
    const lines = [...this.lines, this.open].map((line) => line.trimEnd()).filter((line) => line !== "");
    return lines
      .slice(-maxLines)
      .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line))
      .join("\n");
  }
}
