/** Everything about a contact: who it is, how it is reached, and what happened. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { t } from '../../i18n/i18n.ts'
import { createKey } from '../../inbox/bulk/follow-bulk.ts'
import { ContactFacts, ContactName, OptOutMark } from '../../inbox/details/contact-facts.tsx'
import details from '../../inbox/details/details.module.css'
import { type Contact, useContact } from '../../inbox/details/use-contact.ts'
import list from '../../inbox/list/list.module.css'
import settings from '../../settings/settings.module.css'
import { Status } from '../../ui/controls/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { ArchiveIcon, LinkIcon, TrashIcon } from '../../ui/controls/icons.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { lazyPart } from '../../ui/layout/lazy-part.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { describe, Empty, Failure, Loading } from '../../ui/layout/state-view.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { asForm, PictureField } from '../../ui/pictures/picture-field.tsx'
import { texts as contactsTexts } from '../texts.ts'
import { Conversations } from './conversations.tsx'
import styles from './page.module.css'
import { texts } from './texts.ts'
import { Timeline } from './timeline.tsx'

/** The event of a merged contact contains the id of the remaining one. */
type Followed = Contact & { deletedAt?: string | null; mergedInto?: string | null }

export function ContactPage() {
  const { contactId } = useParams({ from: '/contacts/$contactId' })
  return <ContactView key={contactId} contactId={contactId} />
}

function ContactView({ contactId }: { contactId: string }) {
  const navigate = useNavigate()
  const { contact, error, change, reload } = useContact(contactId)
  const followed = contact as Followed | undefined
  const survivor = followed?.mergedInto ?? (followed && followed.id !== contactId ? followed.id : undefined)
  // The address of a contact that was merged opens the one that remains.
  useEffect(() => {
    if (survivor)
      void navigate({
        to: '/contacts/$contactId',
        params: { contactId: survivor },
        search: true,
        replace: true,
      })
  }, [survivor, navigate])
  const back = <BackLink to="/contacts">{contactsTexts().contacts}</BackLink>
  const isGone = Boolean(followed?.deletedAt) && !survivor
  if (!contact || survivor || isGone)
    return (
      <Page title={texts().contact} label={texts().contact} actions={back}>
        {error ? (
          <Failure error={error} onRetry={reload} />
        ) : isGone ? (
          <Empty title={texts().deleted}>{back}</Empty>
        ) : (
          <Loading rows={6} />
        )}
      </Page>
    )
  const params = { path: { id: contact.id } }
  const title = (
    <span className={styles.title}>
      <ContactName contact={contact} unnamed={toName(contact)} onChange={change} />{' '}
      {contact.archivedAt && <Status>{texts().archived}</Status>}
    </span>
  )
  return (
    <Page title={title} label={texts().contact} actions={<Actions contact={contact} />}>
      <div className={styles.columns}>
        <div className={details.sections}>
          <h2 className={list.hidden}>{t.details}</h2>
          {hasScope('contact:update') && (
            <PictureField
              label={texts().picture}
              name={contact.name ?? ''}
              url={contact.avatarUrl}
              onUpload={form => call(api.PUT('/contacts/{id}/avatar', { params, ...asForm(form) }))}
              onRemove={() => call(api.DELETE('/contacts/{id}/avatar', { params }))}
            />
          )}
          <OptOutMark contact={contact} />
          <ContactFacts contact={contact} onChange={change} />
        </div>
        <Tabs contactId={contactId} />
      </div>
    </Page>
  )
}

type PartProps = { contactId: string }
type DialogProps = PartProps & { name: string; onClose: () => void }
const Notes = lazyPart<PartProps>(async () => (await import('./later.ts')).Notes)
const Campaigns = lazyPart<PartProps>(async () => (await import('./later.ts')).Campaigns)
const Journeys = lazyPart<PartProps>(async () => (await import('./later.ts')).Journeys)
const Files = lazyPart<PartProps>(async () => (await import('./later.ts')).Files)
const EraseContact = lazyPart<DialogProps>(async () => (await import('./later.ts')).EraseContact)
const MergeContact = lazyPart<Omit<DialogProps, 'contactId'> & { contact: Contact }>(
  async () => (await import('./later.ts')).MergeContact,
)
const laterParts = [Notes, Campaigns, Journeys, Files, EraseContact, MergeContact]

const tabs = {
  timeline: { scope: 'contact:read', Part: Timeline },
  conversations: { scope: 'conversation:list', Part: Conversations },
  notes: { scope: 'conversation:read', Part: Notes },
  campaigns: { scope: 'campaign:read', Part: Campaigns },
  runs: { scope: 'journey:read', Part: Journeys },
  files: { scope: 'conversation:read', Part: Files },
} as const
type Tab = keyof typeof tabs

function Tabs({ contactId }: PartProps) {
  const search: { tab?: string | undefined } = useSearch({ from: '/contacts/$contactId' })
  const shown = (Object.keys(tabs) as Tab[]).filter(tab => hasScope(tabs[tab].scope))
  const current = shown.find(tab => tab === search.tab) ?? 'timeline'
  const { Part } = tabs[current]
  useEffect(() => {
    for (const LaterPart of laterParts) LaterPart.preload()
  }, [])
  return (
    <div className={details.sections}>
      <nav className={styles.tabs} aria-label={texts().parts}>
        {shown.map(tab => (
          <Link
            key={tab}
            to="/contacts/$contactId"
            params={{ contactId }}
            search={tab === 'timeline' ? {} : { tab }}
            className={settings.pageLink}
            aria-current={tab === current ? 'page' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {texts().tabs[tab]}
          </Link>
        ))}
      </nav>
      <section aria-label={texts().tabs[current]}>
        <Part key={current} contactId={contactId} />
      </section>
    </div>
  )
}

const toName = ({ name, identities }: Contact) => name ?? identities[0]?.externalId ?? texts().unnamed

/** Archives the contact or takes it out of the archive, and offers to undo it. */
async function setArchived(id: string, isArchived: boolean, isUndo = false): Promise<void> {
  const params = { path: { id }, header: { 'Idempotency-Key': createKey() } }
  try {
    if (isArchived) await call(api.POST('/contacts/{id}/archive', { params }))
    else await call(api.POST('/contacts/{id}/unarchive', { params }))
    showToast({
      text: isArchived ? texts().archivedToast : texts().unarchivedToast,
      action: isUndo ? undefined : { label: t.undo, run: () => void setArchived(id, !isArchived, true) },
    })
  } catch (error) {
    showToast({ text: describe(ApiError.from(error)), tone: 'danger' })
  }
}

function Actions({ contact }: { contact: Contact }) {
  const [open, setOpen] = useState<'merge' | 'erase'>()
  const close = () => setOpen(undefined)
  const canErase = hasScope('contact:delete') && getSignedIn().me.role !== 'agent'
  const isArchived = contact.archivedAt !== null
  return (
    <>
      <BackLink to="/contacts">{contactsTexts().contacts}</BackLink>
      {hasScope('contact:update') && (
        <>
          <Button icon={ArchiveIcon} onClick={() => void setArchived(contact.id, !isArchived)}>
            {isArchived ? texts().unarchive : texts().archive}
          </Button>
          <Button icon={LinkIcon} onClick={() => setOpen('merge')}>
            {texts().merge}
          </Button>
        </>
      )}
      {canErase && (
        <Button look="danger" icon={TrashIcon} onClick={() => setOpen('erase')}>
          {texts().erase}
        </Button>
      )}
      {open === 'merge' && <MergeContact contact={contact} name={toName(contact)} onClose={close} />}
      {open === 'erase' && <EraseContact contactId={contact.id} name={toName(contact)} onClose={close} />}
    </>
  )
}
