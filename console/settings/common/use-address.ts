/** Reads and changes the search parameters of the address, so that a reload restores the filter of a list. */
import { useNavigate, useSearch } from '@tanstack/react-router'

type Values = Record<string, string | undefined>

export function useAddress(): [Values, (changes: Values) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const values = Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const change = (changes: Values) =>
    void navigate({ to: '.', search: { ...values, ...changes } as never, replace: true })
  return [values, change]
}
