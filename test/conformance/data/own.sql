-- group enum columns
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')

CREATE TYPE size AS ENUM ('small', 'Medium', 'extra large')

CREATE TABLE person (id int PRIMARY KEY, name text, mood mood, sizes size[])

INSERT INTO person VALUES (1, 'Ann', 'happy', '{small}'), (2, 'Bob', 'sad', '{Medium,"extra large"}'), (3, 'Cid', 'ok', '{}'), (4, 'Dee', NULL, NULL), (5, 'Eve', 'ok', '{"extra large",small}')
-- cases
SELECT name, mood FROM person ORDER BY mood, name

SELECT name, mood FROM person ORDER BY mood DESC NULLS LAST, name

SELECT mood, count(*) FROM person GROUP BY mood ORDER BY mood

SELECT name FROM person WHERE mood > 'sad' ORDER BY name

SELECT name FROM person WHERE mood = 'HAPPY'

SELECT name FROM person WHERE mood IN ('ok', 'nope')

SELECT name FROM person WHERE mood LIKE 'o%'

SELECT name FROM person WHERE mood::text LIKE 'o%' ORDER BY name

SELECT mood || '!' FROM person

SELECT mood::text || '!' FROM person ORDER BY id

SELECT min(mood), max(mood) FROM person

SELECT DISTINCT mood FROM person ORDER BY mood NULLS FIRST

SELECT coalesce(mood, 'sad') FROM person ORDER BY id

SELECT CASE WHEN id = 1 THEN mood ELSE 'sad' END FROM person ORDER BY id

SELECT CASE WHEN id = 1 THEN mood ELSE 'neither' END FROM person

SELECT name, sizes FROM person WHERE 'small' = ANY (sizes) ORDER BY id

SELECT sizes[1] > 'Medium' FROM person ORDER BY id

SELECT unnest(sizes) AS one FROM person ORDER BY 1

SELECT enum_range(NULL::mood), enum_first(NULL::mood), enum_last(NULL::mood)

SELECT enum_range('ok'::mood, NULL)

SELECT 'happy'::mood < 'ok'::mood

SELECT 'glad'::mood

SELECT 'small'::size = 'small'::mood

SELECT mood = name FROM person

SELECT a.name, b.name FROM person a JOIN person b ON a.mood = b.mood AND a.id < b.id ORDER BY 1

SELECT mood, name, row_number() OVER (PARTITION BY mood ORDER BY name) FROM person ORDER BY mood, name

SELECT array_agg(mood ORDER BY mood) FROM person

SELECT jsonb_agg(mood ORDER BY id) FROM person

SELECT greatest(mood, 'ok') FROM person ORDER BY id

SELECT mood FROM person UNION SELECT 'ok' ORDER BY mood

SELECT pg_typeof(mood), pg_typeof(sizes) FROM person WHERE id = 1

INSERT INTO person (id, name, mood) VALUES (6, 'Fay', 'glad')

INSERT INTO person (id, name, mood) VALUES (6, 'Fay', 'happy') RETURNING id, mood

UPDATE person SET mood = 'ok' WHERE mood = 'happy' RETURNING id, mood

UPDATE person SET mood = name WHERE id = 1

DELETE FROM person WHERE mood < 'ok' RETURNING name

SELECT id, mood FROM person ORDER BY mood, id

-- group writes with keys and defaults
CREATE TABLE stock (sku text PRIMARY KEY, qty int NOT NULL DEFAULT 0 CHECK (qty >= 0), price numeric(8,2), note text DEFAULT 'new')

CREATE TABLE moves (id int PRIMARY KEY, sku text, change int)

INSERT INTO stock VALUES ('a', 5, 1.5, NULL), ('b', 0, 20, 'old'), ('c', 7, NULL, 'old')

INSERT INTO moves VALUES (1, 'a', 2), (2, 'b', 3), (3, 'a', -1), (4, 'z', 9)
-- cases
INSERT INTO stock (sku) VALUES ('d') RETURNING *

INSERT INTO stock (sku, qty) VALUES ('e', -1)

INSERT INTO stock (sku, qty) VALUES ('a', 1)

INSERT INTO stock (sku, qty) VALUES ('a', 1), ('f', 2) ON CONFLICT (sku) DO UPDATE SET qty = stock.qty + excluded.qty RETURNING sku, qty

INSERT INTO stock (sku, qty) VALUES ('g', 1), ('g', 2) ON CONFLICT (sku) DO UPDATE SET qty = 0

INSERT INTO stock (sku, qty) VALUES ('g', 1), ('g', 2) ON CONFLICT DO NOTHING RETURNING sku, qty

INSERT INTO stock (sku, price) VALUES ('h', 1.005) RETURNING price

INSERT INTO stock (sku, price) VALUES ('i', 1234567.5)

UPDATE stock SET qty = stock.qty + m.change FROM moves m WHERE m.sku = stock.sku AND m.id <> 3 RETURNING stock.sku, qty

UPDATE stock SET (qty, note) = (SELECT count(*), max(m.sku) FROM moves m WHERE m.sku = stock.sku) WHERE sku IN ('a', 'c') RETURNING sku, qty, note

UPDATE stock SET qty = DEFAULT, note = DEFAULT WHERE sku = 'b' RETURNING *

UPDATE stock SET sku = 'b' WHERE sku = 'a'

UPDATE stock SET nothing = 1

DELETE FROM stock USING moves m WHERE m.sku = stock.sku AND m.change > 2 RETURNING stock.sku, m.id

WITH gone AS (DELETE FROM stock WHERE note = 'old' RETURNING sku, qty) SELECT count(*), sum(qty) FROM gone

MERGE INTO stock s USING (SELECT sku, sum(change)::int AS change FROM moves GROUP BY sku) m ON s.sku = m.sku WHEN MATCHED THEN UPDATE SET qty = qty + change WHEN NOT MATCHED THEN INSERT (sku, qty) VALUES (m.sku, m.change)

SELECT * FROM stock ORDER BY sku
