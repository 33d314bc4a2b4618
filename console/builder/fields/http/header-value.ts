/** Reads and writes values of headers that are a secret, such as `Bearer {{secrets.shop_token}}`. */
export interface SecretValue {
  /** The text before the secret, such as `Bearer `. */
  prefix: string
  /** Empty until a secret is chosen. */
  secret: string
}

const pattern = /^([^{}]*)\{\{\s*secrets\.([\w-]*)\s*\}\}$/

/** Returns undefined for a value that is not a single secret at its end. */
export function parseSecret(value: string): SecretValue | undefined {
  const [, prefix, secret] = pattern.exec(value) ?? []
  return prefix === undefined || secret === undefined ? undefined : { prefix, secret }
}

export const writeSecret = ({ prefix, secret }: SecretValue) => `${prefix}{{secrets.${secret}}}`

export interface HeaderRow {
  name: string
  value: string
}

export const toRows = (headers: unknown): HeaderRow[] =>
  Object.entries((headers as Record<string, string> | undefined) ?? {}).map(([name, value]) => ({
    name,
    value: String(value),
  }))

/** Returns undefined without rows. A row without a name is not sent yet; of two with one name the last is. */
export function toHeaders(rows: readonly HeaderRow[]): Record<string, string> | undefined {
  const named = rows.filter(({ name }) => name !== '')
  return named.length > 0 ? Object.fromEntries(named.map(({ name, value }) => [name, value])) : undefined
}

/** Returns whether another row has the same header; case does not matter. */
export function isRepeated(rows: readonly HeaderRow[], position: number): boolean {
  const name = rows[position]!.name.toLowerCase()
  return name !== '' && rows.some((row, i) => i !== position && row.name.toLowerCase() === name)
}
