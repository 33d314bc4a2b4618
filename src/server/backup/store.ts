import type pg from 'pg'

/**
 * Starts an online backup: files may be copied while they change. The replication slot, dropped with this session,
 * retains the write-ahead log needed to replay them. Returns the name of its first file.
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

/** Returns the last write-ahead log file needed, and the content of `backup_label`. */
export async function endBackup(client: pg.ClientBase): Promise<{ wal: string; label: string }> {
  const { rows } = await client.query<{ wal: string; label: string }>(
    `select pg_walfile_name(lsn) as wal, labelfile as label from pg_backup_stop(false)`,
  )
  return rows[0]!
}

export async function newestMigration(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('migrations') is not null as exists`,
  )
  if (!rows[0]!.exists) return 0
  const newest = await client.query<{ number: number }>(
    'select coalesce(max(number), 0)::int as number from migrations',
  )
  return newest.rows[0]!.number
}

export async function majorVersion(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  )
  return rows[0]!.major
}
