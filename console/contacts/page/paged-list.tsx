import type { ReactNode } from 'react'
import { LeavingButton } from '../../ui/focus/leaving-button.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import { texts } from './texts.ts'
import type { usePaged } from './use-paged.ts'

interface PagedListProps<T> {
  label: string
  empty: string
  list: ReturnType<typeof usePaged<T>>
  render: (item: T) => ReactNode
}

export function PagedList<T>({ label, empty, list, render }: PagedListProps<T>) {
  const { items, error, reload, more } = list
  if (error !== undefined && !items) return <Failure error={error} onRetry={reload} />
  if (!items) return <Loading rows={4} />
  if (items.length === 0) return <p>{empty}</p>
  return (
    <>
      <ul aria-label={label}>{items.map(render)}</ul>
      {more && <LeavingButton onClick={more}>{texts().more}</LeavingButton>}
    </>
  )
}
