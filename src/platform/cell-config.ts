/** Reads the databases of an installation with cells. */
export interface CellConfig {
  name: string
  url: string
  /** Bypasses a connection pooler. */
  directUrl: string | undefined
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
    const setting = `DATABASE_CELL_${name.toUpperCase().replaceAll('-', '_')}_DIRECT_URL`
    return { name, url, directUrl: read.url(setting, databaseProtocols) }
  })
  if (new Set(cells.map(({ name }) => name)).size < cells.length)
    errors.push('DATABASE_CELLS names a cell twice')
  return cells
}

/** Whether the databases belong to the operator; otherwise the process starts an embedded server. */
export function hasExternalDatabase(config: {
  databaseUrl: string | undefined
  databaseCells: readonly CellConfig[]
}): boolean {
  return config.databaseUrl !== undefined || config.databaseCells.length > 0
}
