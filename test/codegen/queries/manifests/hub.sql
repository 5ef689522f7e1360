-- Statements of the hub; this comment belongs to nobody.

-- name: openPrs :many
-- Open pull requests of a repository, the newest first.
-- params: repo
SELECT number, title, state, merged_at, labels, tags
FROM hub_pr
WHERE repo = $1 AND state = 'open' -- name: notAHeading :many
ORDER BY created_at DESC;

-- name: prsInState :many
-- params: repos, states, since
SELECT repo, number, number /* twice */ FROM hub_pr
WHERE repo = ANY($1) AND state = ANY($2) AND ($3::timestamptz IS NULL OR created_at >= $3)

;

-- name: prWithReviews :many
SELECT p.number, r.who, r.note, count(*) OVER () AS total, coalesce(r.note, '`none` ${x} \ -- name: no :one') AS shown
FROM hub_pr p LEFT JOIN hub_review r ON r.pr = p.number
WHERE p.repo = $1 AND p.state = $2 LIMIT $3;

-- name: counts :one
-- params: repo
SELECT count(*) AS prs, count(merged_at) AS merged, sum(score) AS score, max(created_at) AS newest,
  array_agg(number) AS numbers, bool_or(state = 'open') AS any_open, avg(number) AS mean
FROM hub_pr WHERE repo = $1;

-- name: addPr :exec
-- params: repo, title, state, score, labels, tags
INSERT INTO hub_pr (repo, title, state, score, labels, tags) VALUES ($1, $2, $3, $4, $5, $6);

-- name: renamePr :one
-- params: title, mergedAt, repo, number
UPDATE hub_pr SET title = $1, merged_at = $2 WHERE repo = $3 AND number = $4
RETURNING repo, number, title, merged_at;

-- name: dropPr :exec
-- params: repo, number
DELETE FROM hub_pr WHERE repo = $1 AND number = $2;

-- name: numbers :many
VALUES (1, 'a'), (2, NULL)
