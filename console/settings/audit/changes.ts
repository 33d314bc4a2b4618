/** Turns the details of an audit entry into lines: before and after, where the entry has both. */
import { describeValue, nameDetail } from './detail-names.ts'

export interface Line {
  /** Empty for a change of the target itself, such as that of a role. */
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

function toText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return ''
  if (Array.isArray(value) && value.every(item => typeof item !== 'object'))
    return value.map(item => describeValue(name, item)).join(', ')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : describeValue(name, value)
}

/** The changed value itself is of the kind `own`, such as a role. */
export function toLines(details: Record<string, unknown>, own = ''): Line[] {
  const { from, to, ...others } = details
  const change = isChange(details) ? [{ name: '', before: toText(own, from), value: toText(own, to) }] : []
  const lines = Object.entries(others).map(([name, value]) =>
    isChange(value)
      ? { name: nameDetail(name), before: toText(name, value.from), value: toText(name, value.to) }
      : { name: nameDetail(name), value: toText(name, value) },
  )
  return [...change, ...lines]
}
