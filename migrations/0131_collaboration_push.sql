-- Browsers that receive the notifications of a user by Web Push, until the session that subscribed ends.
create table push_subscriptions (
  tenant_id text collate "C" not null,
  user_id text collate "C" not null,
  id text collate "C" not null,
  -- null: subscribed with a token of an identity provider
  session_id text collate "C",
  endpoint text collate "C" not null,
  -- the public key and the secret of the browser
  p256dh bytea not null,
  auth bytea not null,
  -- the public key of the installation that the subscription accepts
  server_key text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, user_id, id),
  foreign key (tenant_id, user_id) references users
);
create unique index push_subscriptions_endpoint on push_subscriptions (tenant_id, user_id, md5(endpoint));
