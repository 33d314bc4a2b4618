/** A node on the canvas: icon, kind, one line of summary, and its named outputs. */
import { Handle, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { useSelected } from '../../app/store.ts'
import { ErrorIcon, WarningIcon } from '../../ui/controls/icons.tsx'
import { classNames } from '../../ui/styles/class-names.ts'
import { findJumpTarget, needsSettings } from '../model/definition.ts'
import { NodeCounts } from '../numbers/node-counts.tsx'
import { describeNode, useNameOf } from '../state/names.ts'
import { useSession } from '../state/session.tsx'
import { nameNode, nameOutput, texts } from '../texts.ts'
import styles from './canvas.module.css'
import type { FlowNode } from './flow-elements.ts'
import { getNodeIcon } from './node-icons.tsx'

/** The latest notes of a node; more would cover the next one. */
const shownNotes = 2

export const NodeCard = memo(function NodeCard({
  id,
  data: { node, outputs },
  selected,
}: NodeProps<FlowNode>) {
  const { editor, highlight } = useSession()
  const emphasis = useSelected(highlight, value =>
    value?.current === id ? 'current' : value?.nodeIds.includes(id) ? 'path' : value ? 'dimmed' : undefined,
  )
  useNameOf()
  const Glyph = getNodeIcon(node.type)
  // The summary of a jump is that of its target.
  useSelected(editor.history, ({ present }) => findJumpTarget(node, present))
  const summary = describeNode(node, editor.get())
  return (
    <div
      className={classNames(styles.node, selected && styles.selected)}
      data-node={id}
      data-kind={node.type}
      data-emphasis={emphasis}
    >
      {node.type !== 'start' && (
        <Handle type="target" position={Position.Left} id="in" className={styles.input} />
      )}
      <div className={styles.head}>
        <Glyph className={styles.glyph} />
        <strong className={styles.kind}>{nameNode(node.type)}</strong>
        <ProblemMark id={id} />
        <span className={classNames(styles.summary, !summary && styles.empty)}>
          {summary || (needsSettings(editor.catalogue, node.type) ? texts().noSummary : '')}
        </span>
      </div>
      {outputs.map(({ name, title }) => (
        <div key={name} className={styles.output}>
          <span>{title ?? nameOutput(name)}</span>
          <Passed id={id} output={name} />
          <Handle
            type="source"
            position={Position.Right}
            id={name}
            className={styles.outputHandle}
            isConnectableStart={editor.canEdit}
          />
        </div>
      ))}
      <Below id={id} kind={node.type} />
    </div>
  )
})

function ProblemMark({ id }: { id: string }) {
  const { validator } = useSession()
  const problems = useSelected(validator.problems, ({ byNode }) => byNode.get(id))
  if (!problems) return null
  const isWarning = problems.every(problem => problem.isWarning)
  const Glyph = isWarning ? WarningIcon : ErrorIcon
  const label = isWarning ? texts().warningCount(problems.length) : texts().problemCount(problems.length)
  return (
    <span
      className={styles.mark}
      data-tone={isWarning ? 'warning' : 'danger'}
      role="img"
      aria-label={label}
      title={label}
    >
      <Glyph />
    </span>
  )
}

/** How many runs left by the output, also by one that no edge leaves. */
function Passed({ id, output }: { id: string; output: string }) {
  const { numbers } = useSession()
  const passed = useSelected(numbers, value => value?.get(id)?.passed[output])
  return passed ? <strong className={styles.passed}>{passed}</strong> : null
}

/** Counts of runs, or what a simulated run did here. */
function Below({ id, kind }: { id: string; kind: string }) {
  const { highlight } = useSession()
  const notes = useSelected(highlight, value => value?.notes?.get(id))
  if (!notes) return <NodeCounts id={id} kind={kind} className={styles.below} />
  return (
    <ul className={classNames(styles.below, styles.notes)}>
      {notes.slice(-shownNotes).map((note, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a node can have the same effect twice
        <li key={i} title={note}>
          {note}
        </li>
      ))}
    </ul>
  )
}
