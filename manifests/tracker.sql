-- name: openIssues :many
-- Open issues of a project that changed since a moment, the latest first.
-- params: project, since
SELECT number, title, author, assignee, updated_at
FROM tracker_issues
WHERE project = $1 AND state = 'open' AND updated_at >= $2
ORDER BY updated_at DESC;

-- name: openIssuesByPerson :many
-- How many open issues each person works on, over all projects that are not archived; NULL: nobody does.
SELECT i.assignee, count(*) AS issues, count(DISTINCT i.project) AS projects
FROM tracker_projects p JOIN tracker_issues i ON i.project = p.key
WHERE NOT p.archived AND i.state = 'open'
GROUP BY i.assignee
ORDER BY issues DESC, i.assignee;

-- name: issueWithComments :one
-- params: project, number
SELECT i.title, i.state, count(c.id) AS comments, max(c.created_at) AS last_comment
FROM tracker_issues i LEFT JOIN tracker_comments c ON c.project = i.project AND c.issue = i.number
WHERE i.project = $1 AND i.number = $2
GROUP BY i.project, i.number, i.title, i.state;

-- name: commentOn :exec
-- params: project, issue, text
INSERT INTO tracker_comments (project, issue, text) VALUES ($1, $2, $3);
