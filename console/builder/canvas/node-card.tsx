/** A node on the canvas: icon, kind, one line of summary, and its named outputs. */
import { Handle, type NodeProps, Position } from '@xyflow/react'
import { memo, useSyncExternalStore } from 'react'
import type { Store } from '../../app/store.ts'
import { classNames } from '../../ui/class-names.ts'
import { ErrorIcon, WarningIcon } from '../../ui/icons.tsx'
import { needsSettings } from '../model/definition.ts'
import { describeNode, useNameOf } from '../state/names.ts'
import { useSession } from '../state/session.tsx'
import { nameNode, nameOutput, texts } from '../texts.ts'
import styles from './canvas.module.css'
import type { FlowNode } from './flow-elements.ts'
import { getNodeIcon } from './node-icons.tsx'

/** Renders again only if the selected part of the value changes. */
function useSelected<T, S>(store: Store<T>, select: (value: T) => S): S {
  return useSyncExternalStore(store.subscribe, () => select(store.get()))
}

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
  const summary = describeNode(node)
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
          <Handle
            type="source"
            position={Position.Right}
            id={name}
            className={styles.outputHandle}
            isConnectableStart={editor.canEdit}
          />
        </div>
      ))}
      <Counts id={id} />
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

function Counts({ id }: { id: string }) {
  const { numbers } = useSession()
  const counts = useSelected(numbers, value => value?.get(id))
  if (!counts) return null
  return (
    <span className={styles.counts}>
      <span>{texts().enteredHere(counts.entered)}</span>
      {counts.waiting > 0 && <span data-tone="accent">{texts().waitingHere(counts.waiting)}</span>}
    </span>
  )
}
