-- What a user has not read yet, kept current by whoever changes it; no row means nothing.
create table unread_states (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  count int not null,
  conversations int not null,
  version bigint not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users
);
