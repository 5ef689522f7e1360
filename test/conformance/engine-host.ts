/** A process that holds one subject. The other side ends it when a statement takes too long. */
import type { GivenAnswer } from "./compare-rows.js";
import { messageOf, openSubject, type Subject, type SubjectKind } from "./subject.js";

export type HostRequest =
  | { readonly kind: "open"; readonly subject: SubjectKind; readonly setup: readonly string[] }
  | { readonly kind: "run"; readonly sql: string; readonly params: readonly unknown[] };

export interface Refusal {
  /** The SQLSTATE; absent when the error has none, which is an error of the engine. */
  readonly code?: string;
  readonly message: string;
}

export type HostReply =
  | { readonly kind: "ready" }
  | { readonly kind: "opened"; readonly failures: readonly string[] }
  | { readonly kind: "answered"; readonly answer: GivenAnswer; readonly milliseconds: number }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly milliseconds: number }
  | { readonly kind: "failed"; readonly reason: string };

let current: Subject | undefined;

async function replyTo(request: HostRequest): Promise<HostReply> {
  if (request.kind === "open") {
    await current?.close();
    const { subject, failures } = await openSubject(request.subject, request.setup);
    current = subject;
    return { kind: "opened", failures };
  }
  if (current === undefined) throw new Error("a statement needs an open database");
  const start = performance.now();
  try {
    const answer = await current.run(request.sql, request.params);
    return { kind: "answered", answer, milliseconds: performance.now() - start };
  } catch (error) {
    return { kind: "refused", refusal: refusalOf(error), milliseconds: performance.now() - start };
  }
}

function refusalOf(error: unknown): Refusal {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return { message: messageOf(error), ...(/^[0-9A-Z]{5}$/.test(code) && { code }) };
}

const send = (reply: HostReply): unknown => process.send?.(reply);

process.on("message", (request: HostRequest) => {
  replyTo(request)
    .catch((error: unknown): HostReply => ({ kind: "failed", reason: messageOf(error) }))
    .then(send);
});
process.on("disconnect", () => process.exit(0));
send({ kind: "ready" });
