/** Finds texts without a visible character, which providers reject or show as an empty message. */
import { type Violation, violation } from '../../platform/errors.ts'

const visible = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u

/** Searches all texts of the content. The `data` of a flow is the flow's own and may have blank values. */
export function findBlankTexts(value: unknown, field: string): Violation[] {
  if (typeof value === 'string')
    return visible.test(value) ? [] : [violation(field, 'blank', 'must have a visible character')]
  if (Array.isArray(value)) return value.flatMap((item, i) => findBlankTexts(item, `${field}[${i}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'data' ? [] : findBlankTexts(item, `${field}.${key}`),
  )
}
