-- Pictures of users and contacts and the logo of a workspace: files that the service has encoded itself. Their URL contains
-- a secret and does not expire, so that it can be stored with the holder and cached by browsers.
alter table media
  -- the secret part of the URL; null: not a picture
  add column picture_key text collate "C",
  -- user:<id>, contact:<id> or workspace:<id>
  add column picture_of text collate "C";
create unique index media_picture_key on media (picture_key) where picture_key is not null;
create index media_picture_of on media (tenant_id, picture_of) where picture_of is not null;

alter table contacts add column avatar_url text;
alter table tenants add column logo_url text;
