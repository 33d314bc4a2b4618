/** The decisions that saving may need: nodes that another editor changed too, and unsaved changes from an earlier visit. */
import { useState } from 'react'
import { getSignedIn } from '../api/session.ts'
import { useStore } from '../app/store.ts'
import { formatTime } from '../i18n/format.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './builder.module.css'
import type { DefinitionNode } from './model/definition.ts'
import { isSameDefinition, mergeDefinitions } from './model/merge.ts'
import { type LocalCopy, readCopy, removeCopy } from './state/local-copy.ts'
import { describeNode } from './state/names.ts'
import type { SaveState } from './state/saver.ts'
import { useSession } from './state/session.tsx'
import { nameNode, texts } from './texts.ts'

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

function ConflictDialog({ conflict }: { conflict: NonNullable<SaveState['conflict']> }) {
  const { saver } = useSession()
  const [choices, setChoices] = useState<ReadonlyMap<string, 'mine' | 'theirs'>>(new Map())
  const { conflicts, theirs } = conflict
  const who = getSignedIn().users.get(theirs.updatedBy ?? '')?.name ?? texts().someone
  const finish = () => saver.resolve(choices)
  return (
    <Dialog title={texts().conflict} open onClose={finish}>
      <div className={styles.form}>
        <p>{texts().conflictHint(who)}</p>
        {conflicts.map(({ nodeId, mine, theirs: other }) => (
          <fieldset key={nodeId} className={styles.choices}>
            <legend>{nameNode((mine ?? other)!.type)}</legend>
            {(['mine', 'theirs'] as const).map(side => (
              <label key={side}>
                <input
                  type="radio"
                  name={nodeId}
                  checked={(choices.get(nodeId) ?? 'mine') === side}
                  onChange={() => setChoices(new Map(choices).set(nodeId, side))}
                />
                <span>
                  {side === 'mine' ? texts().keepMine : texts().keepTheirs}:{' '}
                  {describeSide(side === 'mine' ? mine : other)}
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

/** Offered once, when the builder opens. */
function CopyDialog() {
  const { editor, saver } = useSession()
  const [copy, setCopy] = useState(() =>
    findCopy(editor.workflowId, saver.state.get().workflow, editor.canEdit),
  )
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
    removeCopy(editor.workflowId)
    close()
  }
  return (
    <Dialog title={texts().copyFound} open onClose={close}>
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

function findCopy(
  workflowId: string,
  { definition, name }: SaveState['workflow'],
  canEdit: boolean,
): LocalCopy | undefined {
  const copy = canEdit ? readCopy(workflowId) : undefined
  const isSame = copy && isSameDefinition(copy.definition, definition) && copy.name.trim() === name
  if (isSame) removeCopy(workflowId)
  return isSame ? undefined : copy
}
