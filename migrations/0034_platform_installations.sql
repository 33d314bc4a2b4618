-- Places that this database has run at: data directories of embedded databases, or databases of other PostgreSQL servers.
-- A copy of the database runs at a place that is not adopted, and sends nothing until an operator adopts it.
create table installations (
  id text collate "C" primary key,
  adopted_at timestamptz(3),
  -- set by `parley adopt`: the URL under which providers call this installation from then on
  public_url text,
  -- PUBLIC_URL of a process that waits to be adopted
  waiting_url text,
  waiting_since timestamptz(3)
);
