import { problemKind } from '../platform/errors.ts'

export const RunNotFound = problemKind(404, 'run_not_found', 'There is no such run')
export const RunEnded = problemKind(409, 'run_ended', 'The run has ended')
export const RunNotFailed = problemKind(409, 'run_not_failed', 'The run has not failed')
export const RunConflict = problemKind(
  409,
  'run_conflict',
  'Another run of the contact is under way, and the journey has one at a time',
)
export const EntryRefused = problemKind(409, 'journey_entry_refused', 'The contact may not enter')
