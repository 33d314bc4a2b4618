-- Two conversations that turned out to be with one person: the id of the one that is no more answers for the other.
alter table conversations add column joined_into text collate "C";
create index conversations_joined on conversations (tenant_id, joined_into) where joined_into is not null;
