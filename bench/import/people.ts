/** Generates the contacts to import. */
const first = ['Anna', 'Bruno', 'Carla', 'Dmitri', 'Elena', 'Farid', 'Grace', 'Hiro', 'Inés', 'Jonas']
const last = [
  'Abbott',
  'Becker',
  'Costa',
  'Dubois',
  'Eriksen',
  'Fischer',
  'García',
  'Hansen',
  'Ivanov',
  'Jensen',
]
export const buildPerson = (n: number) => ({
  name: `${first[n % 10]} ${last[Math.floor(n / 10) % 10]} ${n.toString(36)}`,
  phone: `+1415${2_000_000 + n}`,
  email: `person${n}@example.com`,
})

export function* csv(from: number, count: number): Generator<Buffer> {
  let text = 'name,phone,email\n'
  for (let n = from; n < from + count; n++) {
    const { name, phone, email } = buildPerson(n)
    text += `${name},${phone},${email}\n`
    if (text.length > 60_000) {
      yield Buffer.from(text)
      text = ''
    }
  }
  yield Buffer.from(text)
}
