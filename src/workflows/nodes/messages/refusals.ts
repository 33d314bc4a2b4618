import type { Outcome } from '../node-type.ts'

/** A question that cannot be asked ends the run: quietly where nobody wants it, else for someone to look at. */
export function toRefusedOutcome({ refused, message }: { refused: string; message: string }): Outcome {
  if (['opted_out', 'archived', 'owned_by_user', 'not_owner'].includes(refused))
    return { end: refused, detail: { code: refused, message } }
  return { fail: { code: refused, message } }
}
