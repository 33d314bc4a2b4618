/** Reads the databases of an installation with cells. */
export interface CellConfig {
  name: string
  url: string
  /** Bypasses a connection pooler. */
  directUrl: string | undefined
  /** A standby that serves searches, lists and reports. */
  replicaUrl: string | undefined
}

interface Reader {
  list(name: string): string[]
  url(name: string, protocols: string[]): string | undefined
}

export const databaseProtocols = ['postgres:', 'postgresql:']

const cellName = /^[a-z][a-z0-9-]{0,19}$/

/** Reads `eu=postgres://…,us=postgres://…`. The values may contain passwords, so messages do not repeat them. */
export function readCells(read: Reader, errors: string[]): CellConfig[] {
  const cells = read.list('DATABASE_CELLS').map(entry => {
    const [, name = '', url = ''] = /^([^=]*)=(.*)$/.exec(entry) ?? []
    if (!cellName.test(name))
      errors.push(
        'DATABASE_CELLS must be a list of name=url; a name has lowercase letters, digits and -, begins with a letter and has at most 20 characters',
      )
    else if (!URL.canParse(url) || !databaseProtocols.includes(new URL(url).protocol))
      errors.push(`DATABASE_CELLS: the URL of ${name} must start with postgres:// or postgresql://`)
    const prefix = `DATABASE_CELL_${name.toUpperCase().replaceAll('-', '_')}`
    return {
      name,
      url,
      directUrl: read.url(`${prefix}_DIRECT_URL`, databaseProtocols),
      replicaUrl: read.url(`${prefix}_REPLICA_URL`, databaseProtocols),
    }
  })
  if (new Set(cells.map(({ name }) => name)).size < cells.length)
    errors.push('DATABASE_CELLS names a cell twice')
  return cells
}

interface DatabaseSettings {
  databaseUrl: string | undefined
  databaseReplicaUrl: string | undefined
  databaseCells: readonly CellConfig[]
  secretKey: string | undefined
}

export function checkDatabases(config: DatabaseSettings, errors: string[]): void {
  if (config.databaseUrl && config.databaseCells.length > 0)
    errors.push(
      'DATABASE_URL and DATABASE_CELLS are both set: use DATABASE_CELLS alone, with the database of DATABASE_URL first',
    )
  if (config.databaseReplicaUrl && !config.databaseUrl)
    errors.push(
      'DATABASE_REPLICA_URL needs DATABASE_URL; cells have settings of their own, such as DATABASE_CELL_EU_REPLICA_URL',
    )
  if (hasExternalDatabase(config) && !config.secretKey)
    errors.push(
      'SECRET_KEY is required with DATABASE_URL and DATABASE_CELLS: set it to 32 or more random characters, the same in every process',
    )
}

/** Whether the databases belong to the operator; otherwise the process starts an embedded server. */
export function hasExternalDatabase(
  config: Pick<DatabaseSettings, 'databaseUrl' | 'databaseCells'>,
): boolean {
  return config.databaseUrl !== undefined || config.databaseCells.length > 0
}
