/** Names a contact that a customer shared. Its fields are those of the channel, and all of them may be missing. */
type Fields = Record<string, unknown>

const toList = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'object' && item !== null) : []

const pick = (fields: unknown, ...names: string[]): string | undefined => {
  const values = names.map(name => (fields as Fields | undefined)?.[name])
  return values.find((value): value is string => typeof value === 'string' && value !== '')
}

/** Returns the name, numbers and addresses; empty if there are none. */
export function describeSharedContact({ name, phones, emails }: Fields): string {
  const parts = [
    typeof name === 'string' ? name : pick(name, 'formatted_name', 'first_name'),
    ...toList(phones).map(phone => pick(phone, 'phone', 'wa_id')),
    ...toList(emails).map(email => pick(email, 'email')),
  ]
  return parts.filter(Boolean).join(' · ')
}
