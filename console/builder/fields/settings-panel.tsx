/** The settings of the selected node. Problems are shown at their fields. */
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { useStore } from '../../app/store.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/field.tsx'
import { ErrorIcon, PlayIcon, TrashIcon, WarningIcon } from '../../ui/controls/icons.tsx'
import { getNodeIcon } from '../canvas/node-icons.tsx'
import {
  type Data,
  type DefinitionNode,
  findNode,
  findNodeType,
  type WorkflowKind,
} from '../model/definition.ts'
import { removeNodes, setData } from '../model/edits.ts'
import type { Problem } from '../model/problems.ts'
import { describeReason } from '../problems/problem-texts.ts'
import { useSession } from '../state/session.tsx'
import { nameNode, texts } from '../texts.ts'
import styles from './fields.module.css'
import { getHelp } from './help.ts'
import { HttpForm, httpProperties } from './http/http-form.tsx'
import { type JsonSchema, withProperty } from './schema.ts'
import { SchemaForm } from './schema-form.tsx'
import { fieldTexts } from './texts.ts'
import { TriggerField } from './trigger-field.tsx'

export function SettingsPanel() {
  const { editor } = useSession()
  const { present } = useStore(editor.history)
  const { nodes } = useStore(editor.selection)
  const [id] = nodes
  const node = nodes.size === 1 && id !== undefined ? findNode(present, id) : undefined
  if (!node)
    return (
      <p className={styles.muted}>
        {nodes.size > 1 ? fieldTexts().manySelected(nodes.size) : fieldTexts().noSelection}
      </p>
    )
  return <NodeSettings key={node.id} node={node} />
}

const none: readonly Problem[] = []

function NodeSettings({ node }: { node: DefinitionNode }) {
  const { editor, validator, simulateFrom } = useSession()
  const { byNode } = useStore(validator.problems)
  const form = useRef<HTMLFieldSetElement>(null)
  useFieldFocus(form, node.id)
  const problems = byNode.get(node.id) ?? none
  const type = findNodeType(editor.catalogue, node.type)
  const schema = (type?.data ?? {}) as JsonSchema
  const Glyph = getNodeIcon(node.type)
  const change = (data: Data, property: string) =>
    editor.edit(before => setData(before, node.id, data, editor.rules), `${node.id} ${property}`)
  return (
    <div
      role="group"
      aria-label={nameNode(node.type)}
      className={styles.form}
      tabIndex={-1}
      onKeyDown={event => onEscape(event, node.id)}
    >
      <p className={styles.heading}>
        <Glyph /> {nameNode(node.type)}
      </p>
      <NodeProblems problems={problems.filter(({ field }) => field === '')} />
      <fieldset ref={form} className={styles.form} disabled={!editor.canEdit}>
        {node.type === 'start' && (
          <div data-field="triggerConfig">
            <TriggerField
              value={node.data.triggerConfig}
              problems={problems}
              onChange={config => change(withProperty(node.data, 'triggerConfig', config), 'triggerConfig')}
            />
          </div>
        )}
        {node.type === 'http' && <HttpForm data={node.data} problems={problems} onChange={change} />}
        {node.type === 'delay' && <DelayKind data={node.data} onChange={data => change(data, 'kind')} />}
        <SchemaForm
          nodeType={node.type}
          schema={schema}
          data={node.data}
          problems={problems}
          omit={listOmitted(node, editor.kind)}
          onChange={change}
        />
        {Object.keys(schema.properties ?? {}).length === 0 && (
          <p className={styles.muted}>{fieldTexts().noSettings}</p>
        )}
      </fieldset>
      {type && (
        <details>
          <summary>{fieldTexts().help}</summary>
          <p className={styles.docs}>{getHelp(type)}</p>
        </details>
      )}
      {node.type !== 'start' && (
        <div className={styles.row}>
          <Button icon={PlayIcon} onClick={() => simulateFrom.set(node.id)}>
            {texts().simulateFrom}
          </Button>
          {editor.canEdit && (
            <Button
              look="danger"
              icon={TrashIcon}
              onClick={() => editor.edit(before => removeNodes(before, new Set([node.id]), editor.rules))}
            >
              {texts().deleteStep}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Escape returns to the node on the canvas or in the steps. A sheet is closed instead. */
function onEscape(event: KeyboardEvent<HTMLElement>, nodeId: string): void {
  const { currentTarget, target, key, defaultPrevented } = event
  if (key !== 'Escape' || defaultPrevented || !currentTarget.contains(target as Node)) return
  if (currentTarget.closest('[role="dialog"]')) return
  event.preventDefault()
  document.querySelector<HTMLElement>(`[data-step="${CSS.escape(nodeId)}"], [role="application"]`)?.focus()
}

/** Problems of the node as a whole, such as that no path leads to it. */
function NodeProblems({ problems }: { problems: readonly Problem[] }) {
  return problems.map(problem => (
    <p key={`${problem.code} ${problem.message}`} className={problem.isWarning ? styles.muted : styles.error}>
      {problem.isWarning ? <WarningIcon /> : <ErrorIcon />} {describeReason(problem)}
    </p>
  ))
}

const delayKinds = ['for', 'until', 'field'] as const
const getDelayKind = (data: Data) => delayKinds.find(kind => data[kind] !== undefined) ?? 'for'

/** Properties that do not apply to the data. */
const omitted: Record<string, (data: Data, kind: WorkflowKind) => readonly (string | false)[]> = {
  start: ({ entryMode }, kind) => [
    'triggerConfig',
    kind === 'journey' && 'defaultReply',
    entryMode !== 'cooldown' && 'cooldown',
  ],
  http: () => httpProperties,
  delay: data => {
    const chosen = getDelayKind(data)
    const others = delayKinds.filter(item => item !== chosen)
    return chosen === 'for' ? [...others, 'offsetDays', 'at', 'timezone'] : others
  },
  ask: ({ validate }) => [
    validate !== 'choice' && 'choices',
    validate !== 'regex' && 'pattern',
    validate !== 'number' && validate !== 'date' && 'locale',
  ],
}

const listOmitted = ({ type, data }: DefinitionNode, kind: WorkflowKind): string[] =>
  (omitted[type]?.(data, kind) ?? []).filter(name => name !== false)

function DelayKind({ data, onChange }: { data: Data; onChange: (data: Data) => void }) {
  const initial = { for: { days: 1 }, until: '', field: '' }
  return (
    <Select
      label={fieldTexts().waitKind}
      value={getDelayKind(data)}
      onChange={event => {
        const kind = event.target.value as (typeof delayKinds)[number]
        onChange({ [kind]: initial[kind] })
      }}
    >
      {delayKinds.map(kind => (
        <option key={kind} value={kind}>
          {fieldTexts().waitKinds[kind]}
        </option>
      ))}
    </Select>
  )
}

/** Focuses the field of a problem that was clicked: the one with the longest path that contains it. */
function useFieldFocus(form: RefObject<HTMLElement | null>, nodeId: string): void {
  const { focusField } = useSession()
  const target = useStore(focusField)
  useEffect(() => {
    if (target?.nodeId !== nodeId) return
    const fields = [...(form.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
    const found = fields
      .filter(({ dataset }) => target.field.startsWith(dataset.field!))
      .sort((a, b) => b.dataset.field!.length - a.dataset.field!.length)[0]
    const place = found ?? form.current
    const control =
      place?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      place?.querySelector<HTMLElement>('input, textarea, select, button')
    // Fields that cannot be changed have no focus.
    const shown = control && !control.matches(':disabled') ? control : form.current?.parentElement
    shown?.focus()
    shown?.scrollIntoView({ block: 'nearest' })
    focusField.set(undefined)
  }, [focusField, form, nodeId, target])
}
