/** Actions of both views: undo, delete, duplicate, select all, copy and paste, simulate. */
import { useEffect } from 'react'
import { type Action, useActions } from '../actions/registry.ts'
import { showToast } from '../ui/overlays/toasts.ts'
import { moveToArea } from './areas.ts'
import { copyNodes, pasteClip, readClip } from './model/clipboard.ts'
import { type Definition, findStart, maxNodes } from './model/definition.ts'
import { removeEdges, removeNodes } from './model/edits.ts'
import type { View } from './panel-props.ts'
import type { Editor } from './state/editor.ts'
import { useSession } from './state/session.tsx'
import { texts } from './texts.ts'

export function deleteSelection(editor: Editor): void {
  const { nodes, edges } = editor.selection.get()
  editor.edit(definition => removeNodes(removeEdges(definition, edges), nodes, editor.rules))
}

/** A little below and right of what was copied, otherwise below everything. */
function findPastePlace({ nodes }: Definition, ids: ReadonlySet<string>) {
  if (nodes.length === 0) return { x: 0, y: 0 }
  const chosen = nodes.filter(({ id }) => ids.has(id))
  const from = chosen.length > 0 ? chosen : nodes
  const positions = from.map(({ position }) => position ?? { x: 0, y: 0 })
  const left = Math.min(...positions.map(({ x }) => x))
  const [top, bottom] = [Math.min, Math.max].map(pick => pick(...positions.map(({ y }) => y)))
  return chosen.length > 0 ? { x: left + 40, y: top! + 40 } : { x: left, y: bottom! + 160 }
}

/** Adds the nodes that the text contains and selects them; returns their ids. */
export function paste(editor: Editor, text: string): string[] {
  const clip = readClip(text)
  if (!clip || !editor.canEdit) return []
  if (editor.get().nodes.length + clip.nodes.length > maxNodes) {
    showToast({ text: texts().tooMany(maxNodes), tone: 'danger' })
    return []
  }
  const place = findPastePlace(editor.get(), editor.selection.get().nodes)
  const { definition, ids } = pasteClip(editor.get(), clip, place)
  editor.edit(() => definition)
  editor.select(ids)
  return ids
}

export function duplicateSelection(editor: Editor): void {
  const text = copyNodes(editor.get(), editor.selection.get().nodes)
  if (text !== undefined) paste(editor, text)
}

/** The clipboard belongs to the fields while one has the focus, and to a selected text unless the canvas has the focus. */
function isElsewhere(event: ClipboardEvent): boolean {
  const target = event.target as Element | null
  const isField = target?.closest?.('input, textarea, select, [contenteditable], [role="dialog"]')
  const isCanvas = document.activeElement?.getAttribute('role') === 'application'
  return Boolean(isField) || (!isCanvas && String(document.getSelection()) !== '')
}

function useClipboard(editor: Editor): void {
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const text = isElsewhere(event) ? undefined : copyNodes(editor.get(), editor.selection.get().nodes)
      if (text === undefined) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut') deleteSelection(editor)
    }
    const onPaste = (event: ClipboardEvent) => {
      if (isElsewhere(event)) return
      const added = paste(editor, event.clipboardData?.getData('text/plain') ?? '').length
      if (added > 0) showToast({ text: texts().pasted(added) }, 3_000)
    }
    document.addEventListener('copy', copy)
    document.addEventListener('cut', copy)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('cut', copy)
      document.removeEventListener('paste', onPaste)
    }
  }, [editor])
}

export function useEditActions(view: View): void {
  const { editor, simulateFrom } = useSession()
  useClipboard(editor)
  const startHere = () => {
    const [id, ...others] = editor.selection.get().nodes
    if (id !== undefined && others.length === 0 && id !== findStart(editor.get())?.id) simulateFrom.set(id)
  }
  const simulateHere: Action = {
    id: 'builder-simulate-from',
    label: texts().simulateFrom,
    group: texts().group,
    run: startHere,
  }
  useActions([...(editor.canEdit ? listEdits(editor) : []), ...listViews(editor, view), simulateHere])
}

function listEdits(editor: Editor): Action[] {
  const { group, undo, redo, duplicate, deleteSelection: label } = texts()
  const common = { group, isOutsideFields: true }
  const remove = () => deleteSelection(editor)
  return [
    { id: 'builder-undo', label: undo, ...common, run: editor.undo },
    { id: 'builder-redo', label: redo, ...common, run: editor.redo },
    {
      id: 'builder-duplicate',
      label: duplicate,
      ...common,
      run: () => duplicateSelection(editor),
    },
    { id: 'builder-delete', label, ...common, run: remove },
    { id: 'builder-delete-back', label, ...common, isHidden: true, run: remove },
  ]
}

function listViews(editor: Editor, { panel, isSteps, show }: View): Action[] {
  const { group, selectAll, simulate, steps, canvas, runs, versions } = texts()
  const toggle = (name: string) => show({ panel: panel === name ? undefined : name })
  return [
    {
      id: 'builder-select-all',
      label: selectAll,
      group,
      isOutsideFields: true,
      run: () => editor.select(editor.get().nodes.map(({ id }) => id)),
    },
    {
      id: 'builder-deselect',
      label: texts().deselect,
      group,
      run: editor.select,
    },
    { id: 'builder-next-area', label: texts().nextArea, group, isHidden: true, run: () => moveToArea(1) },
    {
      id: 'builder-previous-area',
      label: texts().previousArea,
      group,
      isHidden: true,
      run: () => moveToArea(-1),
    },
    { id: 'builder-simulate', label: simulate, group, run: () => toggle('simulate') },
    { id: 'builder-versions', label: versions, group, run: () => toggle('versions') },
    { id: 'builder-runs', label: runs, group, run: () => toggle('runs') },
    {
      id: 'builder-view',
      label: isSteps ? canvas : steps,
      group,
      run: () => show({ view: isSteps ? undefined : 'steps' }),
    },
  ]
}
