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

/** Repeated fields become arrays. */
export function parseForm(text: string): Json {
  const form: Json = {}
  const fields = new URLSearchParams(text)
  for (const name of fields.keys()) {
    const values = fields.getAll(name)
    form[name] = values.length === 1 ? values[0] : values
  }
  return form
}

export const parseBody = (text: string): Json => parseJsonObject(text) ?? parseForm(text)
