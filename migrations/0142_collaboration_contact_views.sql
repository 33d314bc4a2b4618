-- Views of contacts, and the columns that a client shows for a view.
alter table views
  add column kind text collate "C" not null default 'conversations' check (kind in ('conversations', 'contacts')),
  add column columns text[] not null default '{}';
