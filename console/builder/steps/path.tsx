/** The steps of one path, with the paths of other outputs below the step that they leave. */
import { useSelected, useStore } from '../../app/store.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { ErrorIcon, MoreIcon, PlusIcon } from '../../ui/controls/icons.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { getNodeIcon } from '../canvas/node-icons.tsx'
import { needsSettings, type Output } from '../model/definition.ts'
import type { Branch, Step } from '../model/tree.ts'
import { NodeCounts } from '../numbers/node-counts.tsx'
import { describeNode } from '../state/names.ts'
import { useSession } from '../state/session.tsx'
import { nameNode, nameOutput, texts } from '../texts.ts'
import { listStepActions, type StepHandlers } from './step-actions.ts'
import styles from './steps.module.css'

interface PathProps {
  steps: readonly Step[]
  handlers: StepHandlers
}

export function Path({ steps, handlers }: PathProps) {
  return (
    <ol className={styles.path}>
      {steps.map(step => (
        <li key={step.node.id}>
          <StepRow step={step} handlers={handlers} />
          {step.branches.map(branch => (
            <BranchView key={branch.output.name} step={step} branch={branch} handlers={handlers} />
          ))}
          {step === steps.at(-1) && step.main && (
            <PathEnd step={step} branch={step.main} handlers={handlers} />
          )}
        </li>
      ))}
    </ol>
  )
}

const nameCase = (output: Output) =>
  output.name === 'else' ? texts().otherwise : texts().when(nameBranch(output))

const nameBranch = ({ name, title }: Output) => title ?? nameOutput(name)

function BranchView({ step, branch, handlers }: { step: Step; branch: Branch; handlers: StepHandlers }) {
  const { numbers } = useSession()
  const passed = useSelected(numbers, value => value?.get(step.node.id)?.passed[branch.output.name])
  const name = nameCase(branch.output)
  return (
    <div className={styles.branch} role="group" aria-label={name}>
      <p className={styles.branchName}>
        {name} {passed ? <strong>{passed}</strong> : null}
      </p>
      {branch.steps.length > 0 ? (
        <Path steps={branch.steps} handlers={handlers} />
      ) : (
        <PathEnd step={step} branch={branch} handlers={handlers} />
      )}
    </div>
  )
}

/** Where the path continues elsewhere, or a step can be added. */
function PathEnd({ step, branch, handlers }: { step: Step; branch: Branch; handlers: StepHandlers }) {
  const { editor } = useSession()
  const { continuesAt, output } = branch
  const place = `${nameNode(step.node.type)}, ${nameBranch(output)}`
  if (continuesAt)
    return (
      <Button
        look="plain"
        className={styles.jump}
        onClick={() => {
          editor.select([continuesAt.id])
          handlers.focus(continuesAt.id)
        }}
      >
        {texts().continuesAt(`${nameNode(continuesAt.type)} ${describeNode(continuesAt)}`.trim())}
      </Button>
    )
  if (!editor.canEdit) return <p className={styles.end}>{texts().endsHere}</p>
  return (
    <Button
      look="plain"
      icon={PlusIcon}
      aria-label={texts().addStepAt(place)}
      onClick={() => handlers.onAdd({ nodeId: step.node.id, output: output.name })}
    >
      {texts().addStep}
    </Button>
  )
}

/** Moves the focus to the step above or below. */
function moveFocus(from: HTMLElement, by: number): void {
  const all = [...(from.closest('section')?.querySelectorAll<HTMLElement>('[data-step]') ?? [])]
  all[all.indexOf(from) + by]?.focus()
}

function StepRow({ step, handlers }: { step: Step; handlers: StepHandlers }) {
  const { editor, validator, highlight, focusField } = useSession()
  const selection = useStore(editor.selection)
  const { byNode } = useStore(validator.problems)
  const { node } = step
  const emphasis = useSelected(highlight, value =>
    value?.current === node.id ? 'current' : value?.nodeIds.includes(node.id) ? 'path' : undefined,
  )
  const problems = byNode.get(node.id)?.filter(({ isWarning }) => !isWarning) ?? []
  const Glyph = getNodeIcon(node.type)
  const summary = describeNode(node, editor.get())
  const name = [nameNode(node.type), summary].filter(Boolean).join(': ')
  return (
    <div
      className={styles.step}
      data-selected={selection.nodes.has(node.id) || undefined}
      data-emphasis={emphasis}
    >
      <button
        type="button"
        className={styles.stepButton}
        data-step={node.id}
        aria-pressed={selection.nodes.has(node.id)}
        onClick={event => {
          const isOneMore = event.shiftKey || event.ctrlKey || event.metaKey
          editor.select([...(isOneMore ? selection.nodes : []), node.id])
          // By keyboard, the settings would be behind all other steps.
          if (event.detail === 0 && !isOneMore) focusField.set({ nodeId: node.id, field: '' })
        }}
        onKeyDown={event => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (by === undefined || event.altKey) return
          event.preventDefault()
          moveFocus(event.currentTarget, by)
        }}
      >
        <Glyph className={styles.glyph} />
        <span className={styles.stepName}>{nameNode(node.type)}</span>
        <span className={styles.summary}>
          {summary || (needsSettings(editor.catalogue, node.type) ? texts().noSummary : '')}
        </span>
        {problems.length > 0 && (
          <span className={styles.mark}>
            <ErrorIcon /> {texts().problemCount(problems.length)}
          </span>
        )}
        <NodeCounts id={node.id} kind={node.type} className={styles.counts} />
      </button>
      {editor.canEdit && (
        <Menu items={listStepActions(editor, step, handlers)} align="end" label={texts().stepActions(name)}>
          <IconButton icon={MoreIcon} label={texts().stepActions(name)} />
        </Menu>
      )}
    </div>
  )
}
