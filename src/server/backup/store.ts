import type pg from 'pg'

/**
 * From here on the files may be copied while they change. The slot, which ends with this session, keeps the log that
 * will be needed. Gives the name of the log's first file that is.
 */
export async function beginBackup(client: pg.ClientBase): Promise<string> {
  await client.query(
    `select pg_create_physical_replication_slot('parley_backup_' || pg_backend_pid(), true, true)`,
  )
  const { rows } = await client.query<{ wal: string }>(
    `select pg_walfile_name(pg_backup_start('parley', true)) as wal`,
  )
  return rows[0]!.wal
}

/** Gives the last file of the log that is needed, and the text of the file that says where to begin with it. */
export async function endBackup(client: pg.ClientBase): Promise<{ wal: string; label: string }> {
  const { rows } = await client.query<{ wal: string; label: string }>(
    `select pg_walfile_name(lsn) as wal, labelfile as label from pg_backup_stop(false)`,
  )
  return rows[0]!
}

export async function newestMigration(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ known: boolean }>(
    `select to_regclass('migrations') is not null as known`,
  )
  if (!rows[0]!.known) return 0
  const found = await client.query<{ number: number }>(
    'select coalesce(max(number), 0)::int as number from migrations',
  )
  return found.rows[0]!.number
}

export async function majorVersion(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  )
  return rows[0]!.major
}
