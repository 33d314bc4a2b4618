/** Returns a function that joins a number with the right form of its noun. */
export function countIn(language: string): (n: number, one: string, other: string) => string {
  const plural = new Intl.PluralRules(language)
  return (n, one, other) => `${n} ${plural.select(n) === 'one' ? one : other}`
}
