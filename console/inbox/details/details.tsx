/** The contact of the open conversation: beside the thread on wide screens, otherwise in a sheet. */
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { getSignedIn } from '../../api/session.ts'
import { useStore } from '../../app/store.ts'
import { useMediaQuery } from '../../app/use-media-query.ts'
import { t } from '../../i18n/i18n.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { Failure, Loading } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Avatar } from '../../ui/pictures/avatar.tsx'
import { getOwnerName } from '../list/owner-name.ts'
import { SandboxPanel } from '../sandbox/sandbox-panel.tsx'
import { useSimulated } from '../sandbox/simulated.ts'
import { useConversation } from '../state/conversations.ts'
import { labels } from '../state/labels.ts'
import type { Conversation } from '../state/views.ts'
import { ContactFacts, ContactName, OptOutMark } from './contact-facts.tsx'
import styles from './details.module.css'
import { OtherConversations } from './other-conversations.tsx'
import { Fact, Section } from './section.tsx'
import { useContact } from './use-contact.ts'
import { VisitorFacts } from './visitor-facts.tsx'

interface DetailsProps {
  conversationId: string
  isOpen: boolean
  onClose: () => void
}

export function Details({ conversationId, isOpen, onClose }: DetailsProps) {
  const isWide = useMediaQuery('(min-width: 1024px)')
  const conversation = useConversation(conversationId)
  // A panel beside the thread does not become a sheet over it when the window gets narrower.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the width changes
  useEffect(() => {
    if (!isWide) onClose()
  }, [isWide])
  if (!conversation || !isOpen) return null
  if (isWide)
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard
      <aside className={styles.panel} aria-label={t.details} tabIndex={0}>
        <Content conversation={conversation} />
      </aside>
    )
  return (
    <Dialog title={t.details} open onClose={onClose} sheet>
      <Content conversation={conversation} />
    </Dialog>
  )
}

function Content({ conversation }: { conversation: Conversation }) {
  const { contact, error, change, reload } = useContact(conversation.contactId)
  const canPlay = useSimulated().includes(conversation.channel)
  return (
    <div className={styles.sections}>
      <div className={styles.head}>
        <Avatar name={conversation.name} url={contact?.avatarUrl ?? conversation.contactAvatarUrl} />
        <h2 className={styles.name}>
          {contact ? (
            <ContactName contact={contact} onChange={change} />
          ) : (
            (conversation.contactName ?? conversation.name)
          )}
        </h2>
        {contact && <OptOutMark contact={contact} />}
        {contact && (
          <Link to="/contacts/$contactId" params={{ contactId: contact.id }}>
            {t.openContactPage}
          </Link>
        )}
      </div>
      <ConversationFacts conversation={conversation} />
      {conversation.channel === 'webchat' && <VisitorFacts conversation={conversation} />}
      {error ? (
        <Failure error={error} onRetry={reload} />
      ) : !contact ? (
        <Loading rows={2} />
      ) : (
        <ContactFacts contact={contact} onChange={change} />
      )}
      <OtherConversations conversation={conversation} />
      {canPlay && (
        <Section title={t.sandbox}>
          <SandboxPanel
            customer={{
              inboxId: conversation.inboxId,
              from: conversation.externalId,
              name: conversation.name,
            }}
            conversationId={conversation.id}
          />
        </Section>
      )}
    </div>
  )
}

function nameStatus({ status, snoozed }: Conversation): string {
  if (status === 'closed') return t.statusClosed
  return snoozed ? t.snoozedMark : t.statusOpen
}

function ConversationFacts({ conversation }: { conversation: Conversation }) {
  const session = getSignedIn()
  const known = useStore(labels)
  const { priority, labelIds } = conversation
  const names = labelIds.flatMap(id => known.get(id)?.name ?? [])
  return (
    <Section title={t.conversation}>
      <dl className={styles.facts}>
        <Fact name={t.status}>{nameStatus(conversation)}</Fact>
        <Fact name={t.owner}>{getOwnerName(session, conversation.activeOwner)}</Fact>
        <Fact name={t.inboxName}>{session.inboxes.get(conversation.inboxId)?.name ?? '–'}</Fact>
        {priority && <Fact name={t.priority}>{t.priorities[priority]}</Fact>}
        {names.length > 0 && (
          <Fact name={t.labels}>
            <span className={styles.tags}>
              {names.map(name => (
                <Status key={name}>{name}</Status>
              ))}
            </span>
          </Fact>
        )}
      </dl>
    </Section>
  )
}
