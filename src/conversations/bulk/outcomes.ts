import type { ItemOutcome, ItemRow, UndoOutcome } from '../store/bulk/bulk-actions.ts'

export function toOutcome(
  { n }: ItemRow,
  result: ItemOutcome['result'],
  { error, before, revision }: { error?: string; before?: object; revision?: number } = {},
): ItemOutcome {
  return {
    n,
    result,
    error: error ?? null,
    before: before ? JSON.stringify(before) : null,
    revisionBefore: revision ?? null,
  }
}

export const toUndoOutcome = (
  { n }: ItemRow,
  result: UndoOutcome['result'],
  error: string | null = null,
): UndoOutcome => ({ n, result, error })
