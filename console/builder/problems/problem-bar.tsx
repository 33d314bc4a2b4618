/** The problems of the draft below the canvas. A click goes to the node and the field. */
import { useState } from 'react'
import { useStore } from '../../app/store.ts'
import { CheckCircleIcon, ErrorIcon, WarningIcon } from '../../ui/controls/icons.tsx'
import styles from '../builder.module.css'
import { nameField } from '../fields/texts.ts'
import { type Definition, type DefinitionNode, findNode } from '../model/definition.ts'
import type { Problem } from '../model/problems.ts'
import { describeNode } from '../state/names.ts'
import { useSession } from '../state/session.tsx'
import { nameNode, texts } from '../texts.ts'
import { describeReason } from './problem-texts.ts'

export function ProblemBar() {
  const { validator } = useSession()
  const { all } = useStore(validator.problems)
  const [isOpen, setOpen] = useState(false)
  const errors = all.filter(({ isWarning }) => !isWarning)
  const tone = errors.length > 0 ? 'danger' : all.length > 0 ? 'warning' : 'success'
  const Glyph = { danger: ErrorIcon, warning: WarningIcon, success: CheckCircleIcon }[tone]
  const summary = {
    danger: texts().problemCount(errors.length),
    warning: texts().warningCount(all.length),
    success: texts().noProblems,
  }[tone]
  return (
    <section className={styles.problems} aria-label={texts().problems} data-area>
      <button
        type="button"
        className={styles.problemSummary}
        data-tone={tone}
        aria-expanded={isOpen && all.length > 0}
        onClick={() => setOpen(!isOpen)}
      >
        <Glyph />
        <span aria-live="polite">{summary}</span>
      </button>
      {isOpen && all.length > 0 && (
        <div className={styles.problemList}>
          <ProblemList problems={all} />
        </div>
      )}
    </section>
  )
}

const isOneOfSeveral = ({ type, id }: DefinitionNode, { nodes }: Definition) =>
  nodes.some(other => other.type === type && other.id !== id)

/** Each problem is a button that selects its node and focuses its field. */
export function ProblemList({ problems, onGo }: { problems: readonly Problem[]; onGo?: () => void }) {
  const { editor } = useSession()
  const go = useGoTo()
  return (
    <ul>
      {problems.map(problem => {
        const { nodeId, field, code, message, isWarning } = problem
        const node = nodeId === undefined ? undefined : findNode(editor.get(), nodeId)
        const summary = node && isOneOfSeveral(node, editor.get()) ? describeNode(node) : ''
        const Glyph = isWarning ? WarningIcon : ErrorIcon
        return (
          <li key={`${nodeId} ${field} ${code} ${message}`}>
            <button
              type="button"
              className={styles.problem}
              data-tone={isWarning ? 'warning' : undefined}
              onClick={() => {
                onGo?.()
                go(problem)
              }}
            >
              <Glyph />
              <span>
                {node && <strong>{nameNode(node.type)} </strong>}
                {summary && <q>{summary}</q>}
                {summary && ' '}
                {[nameField(field), describeReason(problem)].filter(Boolean).join(': ')}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** Returns a function that selects the node of a problem and focuses its field, once the settings are shown. */
function useGoTo(): (problem: Problem) => void {
  const { editor, reveal, focusField } = useSession()
  return ({ nodeId, field }) => {
    if (nodeId === undefined) return
    editor.select([nodeId])
    reveal.get()?.(nodeId)
    focusField.set({ nodeId, field })
  }
}
