/** Rows like pull requests, their authors and reviews, for the engine's benchmark. */

export interface Pull {
  id: number;
  number: number;
  repo: string;
  title: string;
  state: string;
  author_id: number;
  created_at: string;
  updated_at: string;
  additions: number;
  deletions: number;
  branch: string;
  meta: { env: string; risk: number; labels: string[] };
}
export interface User {
  id: number;
  name: string;
  team: string;
}
export interface Review {
  id: number;
  pr_id: number;
  reviewer_id: number;
  verdict: string;
  minutes: number;
}
export interface Data {
  pulls: Pull[];
  users: User[];
  reviews: Review[];
}

const verbs = ["fix", "add", "drop", "move", "speed up", "document", "revert"];
const states = ["open", "closed", "merged", "draft"];

/** `n` pull requests, n / 20 users, 2 n reviews; always the same ones. */
export function makeData(n: number): Data {
  let state = 7;
  const next = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const userCount = Math.max(5, Math.floor(n / 20));
  const repos = Math.max(4, Math.floor(n / 100));
  const users = Array.from({ length: userCount }, (_, i) => ({
    id: i + 1,
    name: `user ${i}`,
    team: ["core", "web", "data", "ops"][next(4)],
  }));
  const pulls = Array.from({ length: n }, (_, i) => ({
    id: i + 1,
    number: 1 + next(n),
    repo: `repo-${next(repos)}`,
    title: `${verbs[next(verbs.length)]} thing ${next(1000)} in module ${i}`,
    state: states[next(states.length)],
    author_id: 1 + next(userCount),
    created_at: new Date(1.7e12 + next(1e9) * 20).toISOString(),
    updated_at: new Date(1.71e12 + next(1e9) * 20).toISOString(),
    additions: next(2000),
    deletions: next(500),
    branch: next(2) === 0 ? `feature/${next(9999)}` : `bug-${next(9999)}`,
    meta: { env: ["prod", "test", "dev"][next(3)], risk: next(10), labels: ["x", "y"].slice(next(3)) },
  }));
  const reviews = Array.from({ length: 2 * n }, (_, i) => ({
    id: i + 1,
    pr_id: 1 + next(n),
    reviewer_id: 1 + next(userCount),
    verdict: ["approve", "comment", "reject"][next(3)],
    minutes: next(500),
  }));
  return { pulls, users, reviews };
}
