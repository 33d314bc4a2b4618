/**
 * The workflow as nested lists of steps: the form for phones, keyboards and screen readers. Everything that the canvas can
 * do can be done here.
 */
import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from '../../app/store.ts'
import { Picker } from '../../ui/pickers/picker.tsx'
import { AddPicker } from '../canvas/add-picker.tsx'
import { getNodeIcon } from '../canvas/node-icons.tsx'
import { findStart } from '../model/definition.ts'
import { connect } from '../model/edits.ts'
import { buildTree } from '../model/tree.ts'
import { insertNode } from '../state/insert-node.ts'
import { describeNode, useNameOf, useReferencedNames } from '../state/names.ts'
import { useSession } from '../state/session.tsx'
import { nameNode, nameOutput, texts } from '../texts.ts'
import { Path } from './path.tsx'
import type { Place, StepHandlers } from './step-actions.ts'
import styles from './steps.module.css'

export function StepsView() {
  const { editor, reveal, simulateFrom } = useSession()
  const { present } = useStore(editor.history)
  const [adding, setAdding] = useState<Place>()
  const [connecting, setConnecting] = useState<Place>()
  const list = useRef<HTMLDivElement>(null)
  useReferencedNames(present.nodes)
  useNameOf()
  const tree = useMemo(() => buildTree(present, editor.rules), [present, editor])
  const handlers = useMemo((): StepHandlers => {
    const focus = (nodeId: string) => {
      const step = list.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(nodeId)}"]`)
      step?.focus()
      step?.scrollIntoView({ block: 'nearest' })
    }
    return { focus, onAdd: setAdding, onConnect: setConnecting, onSimulate: simulateFrom.set }
  }, [simulateFrom])
  useEffect(() => {
    reveal.set(handlers.focus)
    return () => reveal.set(undefined)
  }, [reveal, handlers])
  // Keys work as soon as the steps are open; the canvas takes its focus with it.
  useEffect(() => {
    if (document.activeElement !== document.body) return
    const [selected] = editor.selection.get().nodes
    const first = selected ?? findStart(editor.get())?.id
    if (first !== undefined) handlers.focus(first)
  }, [editor, handlers])
  const add = (type: string) => {
    const id = adding && insertNode(editor, type, { from: adding })
    setAdding(undefined)
    if (id !== undefined) setTimeout(() => handlers.focus(id))
  }
  return (
    <div ref={list} className={styles.view}>
      <section className={styles.paths} aria-label={texts().stepsLabel} data-area>
        <Path steps={tree.steps} handlers={handlers} />
        {tree.loose.length > 0 && <h2 className={styles.loose}>{texts().loosePaths}</h2>}
        {tree.loose.map(steps => (
          <Path key={steps[0]!.node.id} steps={steps} handlers={handlers} />
        ))}
      </section>
      {adding && <AddPicker from={adding} onChoose={add} onClose={() => setAdding(undefined)} />}
      {connecting && <ConnectPicker place={connecting} onClose={() => setConnecting(undefined)} />}
    </div>
  )
}

/** Chooses a known step at which an output continues. */
function ConnectPicker({ place, onClose }: { place: Place; onClose: () => void }) {
  const { editor } = useSession()
  const [nodes] = useState(() => editor.get().nodes.filter(({ type }) => type !== 'start'))
  return (
    <Picker
      title={texts().connectTo(nameOutput(place.output))}
      choices={nodes.map(node => ({
        id: node.id,
        label: `${nameNode(node.type)} ${describeNode(node, editor.get())}`.trim(),
        icon: getNodeIcon(node.type),
        onSelect: () => editor.edit(before => connect(before, place, node.id, editor.rules)),
      }))}
      onClose={onClose}
    />
  )
}
