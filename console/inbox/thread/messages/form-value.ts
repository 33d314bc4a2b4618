/** Returns a value of a form as text. */
export const toFormValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
