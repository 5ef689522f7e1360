CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE person (id integer PRIMARY KEY, name text NOT NULL, age smallint, height numeric(5,2), born date, seen timestamptz, tags text[], info jsonb, active boolean DEFAULT true, m mood);
CREATE TABLE pet (id bigint PRIMARY KEY, owner integer, name varchar(20), weight real, code char(3), data json, UNIQUE (name));
CREATE TABLE visit (pet bigint, day date, cost numeric, note text, PRIMARY KEY (pet, day));
CREATE TABLE num (i2 smallint, i4 integer, i8 bigint, n numeric, f4 real, f8 double precision);
CREATE TABLE clock (d date, t time, tt timetz, ts timestamp, tz timestamptz, iv interval);
CREATE VIEW adult AS SELECT id, name AS full_name, age FROM person WHERE age >= 18;
