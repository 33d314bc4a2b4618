/** Why a simulation was refused: the problems of the draft, each of which leads to its field, and those of the request. */
import { ApiError } from '../../api/errors.ts'
import { Failure } from '../../ui/layout/state-view.tsx'
import type { Definition } from '../model/definition.ts'
import { toProblems } from '../model/problems.ts'
import { ProblemList } from '../problems/problem-bar.tsx'
import { describeReason } from '../problems/problem-texts.ts'
import styles from './simulate.module.css'
import { texts } from './texts.ts'

interface ProblemsProps {
  error: unknown
  definition: Definition
  onRetry: () => void
}

const isOfDraft = ({ field }: { field: string }) => /^(definition|draft)\b/.test(field)

export function Problems({ error, definition, onRetry }: ProblemsProps) {
  const { violations } = ApiError.from(error)
  if (violations.length === 0) return <Failure error={error} onRetry={onRetry} />
  const ofDraft = violations.filter(isOfDraft)
  return (
    <div role="alert" className={styles.box}>
      <p>{texts().refused}</p>
      <ProblemList problems={toProblems({ violations: ofDraft, warnings: [] }, definition)} />
      {violations
        .filter(violation => !isOfDraft(violation))
        .map(violation => (
          <p key={`${violation.field} ${violation.code}`}>
            <code>{violation.field}</code> {describeReason(violation)}
          </p>
        ))}
    </div>
  )
}
