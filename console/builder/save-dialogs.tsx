/** The decisions that saving may need: nodes that another editor changed too, and unsaved changes from an earlier visit. */
import { useEffect, useState } from 'react'
import { useActorName } from '../app/actor-name.ts'
import { useStore } from '../app/store.ts'
import { formatTime } from '../i18n/format.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import styles from './builder.module.css'
import { namePath } from './fields/texts.ts'
import { type Definition, type DefinitionNode, listOutputs } from './model/definition.ts'
import { compareOutputs, compareSettings } from './model/differences.ts'
import { type Conflict, isSameDefinition, mergeDefinitions } from './model/merge.ts'
import type { Editor } from './state/editor.ts'
import type { LocalCopy } from './state/local-copy.ts'
import { describeNode } from './state/names.ts'
import type { Saver, SaveState } from './state/saver.ts'
import { useSession } from './state/session.tsx'
import { nameNode, nameOutput, texts } from './texts.ts'

export function SaveDialogs() {
  const { saver } = useSession()
  const { conflict } = useStore(saver.state)
  return (
    <>
      <CopyDialog />
      {conflict && <ConflictDialog key={conflict.theirs.revision} conflict={conflict} />}
    </>
  )
}

const describeSide = (node: DefinitionNode | undefined) =>
  node ? describeNode(node) || texts().noSummary : texts().deletedNode

type Side = 'mine' | 'theirs'

const maxLength = 120

function describeValue(value: unknown): string {
  if (value === undefined) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

const nameTarget = (node: DefinitionNode | undefined) =>
  node ? [nameNode(node.type), describeNode(node)].filter(Boolean).join(': ') : '–'

/** Returns a line for each setting and output that the sides have differently, as one of them has it. */
function listLines(conflict: Conflict, side: Side, editor: Editor, other: Definition): string[] {
  const { catalogue, kind } = editor.rules
  const node = conflict[side]
  const outputs = node ? listOutputs(node, catalogue, kind) : []
  const nameOf = (output: string) => {
    const found = outputs.find(({ name }) => name === output) ?? outputs[0]
    return found?.title ?? nameOutput(found?.name ?? output)
  }
  return [
    ...compareSettings(conflict).map(item => `${namePath(item.path)}: ${describeValue(item[side])}`),
    ...compareOutputs(conflict, editor.get(), other).map(
      item => `${nameOf(item.output)} → ${nameTarget(item[side])}`,
    ),
  ]
}

/** Stays open until the user has decided: closing it would drop one of the sides. */
function ConflictDialog({ conflict }: { conflict: NonNullable<SaveState['conflict']> }) {
  const { editor, saver } = useSession()
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map())
  const { conflicts, theirs } = conflict
  const who = useActorName(theirs.updatedBy) ?? texts().someone
  const finish = () => saver.resolve(choices)
  return (
    <Dialog title={texts().conflict} open>
      <div className={styles.form}>
        <p>{texts().conflictHint(who)}</p>
        {conflicts.map(item => (
          <fieldset key={item.nodeId} className={styles.choices}>
            <legend>{nameNode((item.mine ?? item.theirs)!.type)}</legend>
            {(['mine', 'theirs'] as const).map(side => (
              <label key={side}>
                <input
                  type="radio"
                  name={item.nodeId}
                  checked={(choices.get(item.nodeId) ?? 'mine') === side}
                  onChange={() => setChoices(new Map(choices).set(item.nodeId, side))}
                />
                <span>
                  {side === 'mine' ? texts().keepMine : texts().keepTheirs}: {describeSide(item[side])}
                  {listLines(item, side, editor, theirs.definition).map(line => (
                    <span key={line} className={styles.differing}>
                      {line}
                    </span>
                  ))}
                </span>
              </label>
            ))}
          </fieldset>
        ))}
        <div className={styles.buttons}>
          <Button look="primary" onClick={finish}>
            {texts().applyChoice}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** Offered when the builder opens. The copy is kept until the user has decided about it. */
function CopyDialog() {
  const { editor, saver } = useSession()
  const [copy, setCopy] = useState(() => findCopy(saver, editor.canEdit))
  useEffect(() => saver.holdCopy(copy !== undefined), [saver, copy])
  if (!copy) return null
  const close = () => setCopy(undefined)
  const restore = () => {
    const { definition } = saver.state.get().workflow
    // The service may have changed since: what both changed is kept from here, and can be undone.
    editor.edit(() => mergeDefinitions(copy.base, copy.definition, definition).definition)
    if (copy.name !== copy.baseName) editor.rename(copy.name)
    close()
  }
  const discard = () => {
    saver.copy.remove()
    close()
  }
  return (
    <Dialog title={texts().copyFound} open>
      <div className={styles.form}>
        <p>{texts().copyHint(formatTime(copy.at))}</p>
        <div className={styles.buttons}>
          <Button onClick={discard}>{texts().discardCopy}</Button>
          <Button look="primary" onClick={restore}>
            {texts().restoreCopy}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function findCopy(saver: Saver, canEdit: boolean): LocalCopy | undefined {
  const { definition, name } = saver.state.get().workflow
  const copy = canEdit ? saver.copy.read() : undefined
  const isSame = copy && isSameDefinition(copy.definition, definition) && copy.name.trim() === name
  if (isSame) saver.copy.remove()
  return isSame ? undefined : copy
}
