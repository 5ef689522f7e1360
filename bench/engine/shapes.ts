/** The eight shapes of statements: the SQL, and the loop that a programmer would write instead. */
import type { Data, Pull } from "./rows.js";

export interface Shape {
  readonly name: string;
  readonly sql: string;
  /** What a rule would make of it, when the statement alone is not the shape: the join of this SQL turned into an anti join. */
  readonly antiJoin?: boolean;
  byHand(data: Data): unknown[];
}

export const shapes: readonly Shape[] = [
  {
    name: "a filter, sort, limit",
    sql: `SELECT id, title, additions, created_at FROM pulls
          WHERE state = 'open' AND additions > 300 AND deletions < 400 ORDER BY created_at DESC, id LIMIT 20`,
    byHand: ({ pulls }) =>
      pulls
        .filter((p) => p.state === "open" && p.additions > 300 && p.deletions < 400)
        .sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : a.id - b.id))
        .slice(0, 20)
        .map(({ id, title, additions, created_at }) => ({ id, title, additions, created_at })),
  },
  {
    name: "b group, having",
    sql: `SELECT repo, count(*) AS n, sum(additions) AS total, max(created_at) AS latest FROM pulls
          WHERE state <> 'draft' GROUP BY repo HAVING count(*) > 5`,
    byHand: ({ pulls }) => {
      const groups = new Map<string, { repo: string; n: number; total: number; latest: string }>();
      for (const p of pulls) {
        if (p.state === "draft") continue;
        const group = groups.get(p.repo);
        if (group === undefined) {
          groups.set(p.repo, { repo: p.repo, n: 1, total: p.additions, latest: p.created_at });
          continue;
        }
        group.n++;
        group.total += p.additions;
        if (p.created_at > group.latest) group.latest = p.created_at;
      }
      return [...groups.values()].filter((group) => group.n > 5);
    },
  },
  {
    name: "c three-way join",
    sql: `SELECT u.team, count(*) AS n, sum(r.minutes) AS minutes FROM reviews r
          JOIN pulls p ON p.id = r.pr_id JOIN users u ON u.id = p.author_id
          WHERE r.verdict = 'approve' AND p.state = 'merged' GROUP BY u.team`,
    byHand: ({ pulls, users, reviews }) => {
      const pullById = new Map(pulls.map((p) => [p.id, p]));
      const userById = new Map(users.map((u) => [u.id, u]));
      const groups = new Map<string, { team: string; n: number; minutes: number }>();
      for (const r of reviews) {
        if (r.verdict !== "approve") continue;
        const p = pullById.get(r.pr_id);
        if (p === undefined || p.state !== "merged") continue;
        const u = userById.get(p.author_id);
        if (u === undefined) continue;
        const group = groups.get(u.team);
        if (group === undefined) groups.set(u.team, { team: u.team, n: 1, minutes: r.minutes });
        else {
          group.n++;
          group.minutes += r.minutes;
        }
      }
      return [...groups.values()];
    },
  },
  {
    name: "d top 3 a group",
    sql: `SELECT repo, id, additions FROM (SELECT repo, id, additions,
          row_number() OVER (PARTITION BY repo ORDER BY additions DESC, id) AS rn FROM pulls) t WHERE rn <= 3`,
    byHand: ({ pulls }) => {
      const groups = new Map<string, Pull[]>();
      for (const p of pulls) {
        const group = groups.get(p.repo);
        if (group === undefined) groups.set(p.repo, [p]);
        else group.push(p);
      }
      const rows: unknown[] = [];
      for (const [repo, group] of [...groups].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
        group.sort((a, b) => b.additions - a.additions || a.id - b.id);
        for (const p of group.slice(0, 3)) rows.push({ repo, id: p.id, additions: p.additions });
      }
      return rows;
    },
  },
  {
    name: "e not exists",
    sql: `SELECT p.id, p.title FROM pulls p JOIN reviews r ON r.pr_id = p.id AND r.verdict = 'approve'
          WHERE p.state = 'open'`,
    antiJoin: true,
    byHand: ({ pulls, reviews }) => {
      const approved = new Set<number>();
      for (const r of reviews) if (r.verdict === "approve") approved.add(r.pr_id);
      return pulls.filter((p) => p.state === "open" && !approved.has(p.id)).map(({ id, title }) => ({ id, title }));
    },
  },
  {
    name: "f cte, union, distinct",
    sql: `WITH recent AS (SELECT author_id, repo FROM pulls WHERE created_at >= '2024-01-01')
          SELECT DISTINCT who FROM (SELECT author_id AS who FROM recent
          UNION ALL SELECT reviewer_id FROM reviews WHERE minutes > 450) s`,
    byHand: ({ pulls, reviews }) => {
      const seen = new Set<number>();
      for (const p of pulls) if (p.created_at >= "2024-01-01") seen.add(p.author_id);
      for (const r of reviews) if (r.minutes > 450) seen.add(r.reviewer_id);
      return [...seen].map((who) => ({ who }));
    },
  },
  {
    name: "g jsonb, like, regex",
    sql: `SELECT id, meta ->> 'env' AS env FROM pulls
          WHERE meta ->> 'env' = 'prod' AND title LIKE '%fix%' AND branch ~ '^feature/[0-9]+'`,
    byHand: ({ pulls }) =>
      pulls
        .filter((p) => p.meta.env === "prod" && p.title.includes("fix") && /^feature\/[0-9]+/.test(p.branch))
        .map((p) => ({ id: p.id, env: p.meta.env })),
  },
  {
    name: "h ordered string_agg",
    sql: `SELECT repo, string_agg(title, ', ' ORDER BY number, id) AS titles FROM pulls WHERE state = 'merged' GROUP BY repo`,
    byHand: ({ pulls }) => {
      const groups = new Map<string, Pull[]>();
      for (const p of pulls) {
        if (p.state !== "merged") continue;
        const group = groups.get(p.repo);
        if (group === undefined) groups.set(p.repo, [p]);
        else group.push(p);
      }
      return [...groups].map(([repo, group]) => ({
        repo,
        titles: group
          .sort((a, b) => a.number - b.number || a.id - b.id)
          .map((p) => p.title)
          .join(", "),
      }));
    },
  },
];
