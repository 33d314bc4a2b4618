/** Formats arrays as parameters. A column of many rows is one array, so this is most of the work to send a statement. */

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  value === null ||
  value === undefined ||
  Number.isFinite(value)

/** Escapes that JSON has and array literals do not. They also match after an escaped backslash, which is harmless. */
const escapes = /\\[bfnrtu]/

/**
 * Returns the array as a literal of PostgreSQL, or undefined if it has to be left to the driver. JSON differs from such a
 * literal only in its brackets and in the escapes of control characters, and is formatted natively.
 */
function toArrayLiteral(values: readonly unknown[]): string | undefined {
  if (!values.every(isPlain)) return undefined
  const json = JSON.stringify(values)
  return escapes.test(json) ? undefined : `{${json.slice(1, -1)}}`
}

/** Replaces arrays among the parameters of a statement. */
export function formatArrays(parameters: readonly unknown[]): unknown[] {
  return parameters.map(value => (Array.isArray(value) ? (toArrayLiteral(value) ?? value) : value))
}
