/** Shows names that programs chose, such as `cf_external_ref`, as words; names of people are kept. */
export function toTitle(name: string): string {
  if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) return name
  const words = name.replace(/^cf_/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
