/** Returns a function that joins a number, with its thousands apart, with the right form of its noun. */
export function countIn(language: string): (n: number, one: string, other: string) => string {
  const plural = new Intl.PluralRules(language)
  const number = new Intl.NumberFormat(language)
  return (n, one, other) => `${number.format(n)} ${plural.select(n) === 'one' ? one : other}`
}
