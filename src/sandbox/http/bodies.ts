/** Request bodies, read back as values. */
export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function parseJsonObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A field that is given several times becomes a list. */
export function parseForm(text: string): Json {
  const form: Json = {}
  const fields = new URLSearchParams(text)
  for (const name of fields.keys()) {
    const values = fields.getAll(name)
    form[name] = values.length === 1 ? values[0] : values
  }
  return form
}

/** What a recorded request said, whichever way it was written. */
export const parseBody = (text: string): Json => parseJsonObject(text) ?? parseForm(text)
