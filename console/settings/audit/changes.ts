/** Turns the details of an audit entry into lines: before and after, where the entry has both. */
export interface Line {
  name: string
  /** Undefined: the entry has one value only. */
  before?: string
  value: string
}

interface Change {
  from?: unknown
  to?: unknown
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && ('from' in value || 'to' in value)

function toText(value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

export function toLines(details: Record<string, unknown>): Line[] {
  const { from, to, ...others } = details
  const own = isChange(details) ? [{ name: '', before: toText(from), value: toText(to) }] : []
  const lines = Object.entries(others).map(([name, value]) =>
    isChange(value)
      ? { name, before: toText(value.from), value: toText(value.to) }
      : { name, value: toText(value) },
  )
  return [...own, ...lines]
}
