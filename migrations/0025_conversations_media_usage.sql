-- Bytes of the files of each workspace, for its storage quota. Kept by a trigger, so that no path of the code misses it.
create table media_usage (
  tenant_id text collate "C" primary key references tenants,
  bytes bigint not null
);

insert into media_usage (tenant_id, bytes)
select tenant_id, sum(size) from media where size is not null group by tenant_id;

create function count_media_bytes() returns trigger language plpgsql as $$
declare
  v_bytes bigint := coalesce(new.size, 0) - coalesce(old.size, 0);
begin
  if v_bytes <> 0 then
    insert into media_usage as u (tenant_id, bytes) values (coalesce(new.tenant_id, old.tenant_id), v_bytes)
    on conflict (tenant_id) do update set bytes = u.bytes + excluded.bytes;
  end if;
  return null;
end $$;

create trigger media_bytes after insert or delete or update of size on media
for each row execute function count_media_bytes();
