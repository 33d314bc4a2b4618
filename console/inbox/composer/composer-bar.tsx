/** The buttons below the field. */
import type { ComponentProps } from 'react'
import { useState } from 'react'
import { useActions } from '../../actions/registry.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { t } from '../../i18n/i18n.ts'
import type { TemplatePicker as Templates } from '../../templates/template-picker.tsx'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import {
  BoltIcon,
  CheckCircleIcon,
  ClockIcon,
  DocumentIcon,
  InboxIcon,
  NoteIcon,
  SendIcon,
} from '../../ui/controls/icons.tsx'
import { lazyPart } from '../../ui/layout/lazy-part.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import type { TimePickerProps } from '../../ui/pickers/time-picker.tsx'
import { classNames } from '../../ui/styles/class-names.ts'
import type { OutboxEntry } from '../state/outbox.ts'
import type { Conversation } from '../state/views.ts'
import { AttachButton } from './chips.tsx'
import styles from './composer.module.css'
import { reopened } from './reopened-template.ts'
import type { TextSize } from './text-limit.ts'
import type { SendOptions } from './use-send.ts'

const TimePicker = lazyPart<TimePickerProps>(async () => (await import('../later.ts')).TimePicker)
const TemplatePicker = lazyPart<ComponentProps<typeof Templates>>(
  async () => (await import('../later.ts')).TemplatePicker,
)

interface ComposerBarProps {
  conversation: Conversation
  isNote: boolean
  canText: boolean
  canTemplate: boolean
  isEmpty: boolean
  size: TextSize
  /** The inbox that sends the next messages. */
  inboxId: string
  onInbox: (inboxId: string) => void
  onSubmit: (options?: SendOptions) => void
  onSendContent: (content: OutboxEntry['content']) => void
  onFile: (file: File) => void
  onSavedReplies: () => void
}

export function ComposerBar(props: ComposerBarProps) {
  const { isNote, canText, size, onSubmit } = props
  return (
    <div className={styles.bar}>
      {!isNote && <ReplyTools {...props} />}
      <p className={classNames(styles.hint, size.isTooLong && styles.over)}>{size.hint}</p>
      {!isNote && <SendAndClose {...props} />}
      <Button
        look="primary"
        icon={isNote ? NoteIcon : SendIcon}
        disabled={!canText}
        onClick={() => onSubmit()}
      >
        {isNote ? t.addNote : t.send}
      </Button>
    </div>
  )
}

function ReplyTools(props: ComposerBarProps) {
  const { conversation, inboxId, canText, canTemplate, isEmpty } = props
  const { onSubmit, onSendContent, onFile, onSavedReplies } = props
  return (
    <>
      <InboxSwitch {...props} />
      <AttachButton onFile={onFile} isDisabled={!canText} />
      {hasScope('saved_reply:list') && (
        <IconButton
          icon={BoltIcon}
          label={t.savedReplies}
          keys="/"
          disabled={!canText}
          onClick={onSavedReplies}
        />
      )}
      {conversation.channel === 'chatapp' && (
        <TemplateButton
          conversationId={conversation.id}
          isDisabled={!canTemplate}
          inboxId={inboxId}
          onSend={onSendContent}
        />
      )}
      <LaterButton isDisabled={!canText || isEmpty} onChoose={sendAt => onSubmit({ sendAt })} />
    </>
  )
}

/** Sends from another inbox of the channel, if there is one. */
function InboxSwitch({ conversation, inboxId, onInbox }: ComposerBarProps) {
  const inboxes = [...getSignedIn().inboxes.values()].filter(
    ({ channel }) => channel === conversation.channel,
  )
  const current = inboxes.find(({ id }) => id === inboxId)
  if (inboxes.length < 2 || !current) return null
  const items = inboxes.map(({ id, name }) => ({
    id,
    label: name,
    checked: id === inboxId,
    onSelect: () => onInbox(id),
  }))
  return (
    <Menu items={items} label={t.sendFrom} side="top">
      <IconButton icon={InboxIcon} label={t.sendsFrom(current.name)} />
    </Menu>
  )
}

function SendAndClose({ conversation, canText, isEmpty, onSubmit }: ComposerBarProps) {
  if (conversation.status !== 'open' || !hasScope('conversation:close')) return null
  return (
    <IconButton
      icon={CheckCircleIcon}
      label={t.sendAndClose}
      keys="mod+shift+enter"
      disabled={!canText || isEmpty}
      onClick={() => onSubmit({ closes: true })}
    />
  )
}

function LaterButton({ isDisabled, onChoose }: { isDisabled: boolean; onChoose: (time: Date) => void }) {
  const [isOpen, setOpen] = useState(false)
  const open = () => !isDisabled && setOpen(true)
  useActions([
    {
      id: 'send-later',
      label: t.sendLater,
      group: t.conversation,
      icon: ClockIcon,
      run: open,
    },
  ])
  const choose = (time: Date) => {
    setOpen(false)
    onChoose(time)
  }
  return (
    <>
      <IconButton icon={ClockIcon} label={t.sendLater} disabled={isDisabled} onClick={open} />
      {isOpen && <TimePicker title={t.sendLater} onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  )
}

interface TemplateButtonProps {
  conversationId: string
  isDisabled: boolean
  inboxId: string
  onSend: (content: OutboxEntry['content']) => void
}

function TemplateButton({ conversationId, isDisabled, inboxId, onSend }: TemplateButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const again = useStore(reopened)
  const returned = again?.conversationId === conversationId ? again : undefined
  const close = () => {
    setOpen(false)
    reopened.set(undefined)
  }
  const send = (content: OutboxEntry['content']) => {
    close()
    onSend(content)
  }
  return (
    <>
      <IconButton
        icon={DocumentIcon}
        label={t.templates}
        disabled={isDisabled}
        onClick={() => setOpen(true)}
      />
      {(isOpen || returned) && (
        <TemplatePicker
          inboxId={returned?.inboxId ?? inboxId}
          initial={returned?.content}
          refusal={returned?.refusal}
          onClose={close}
          onSend={send}
        />
      )}
    </>
  )
}
