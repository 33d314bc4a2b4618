/** Shows the message of one contact, as the service renders it, in the shape of a phone. Sends a test to that contact. */
import { type ReactNode, useState } from 'react'
import { api, call, type Schemas } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { hasScope } from '../../api/session.ts'
import { useResource } from '../../app/use-resource.ts'
import { t } from '../../i18n/i18n.ts'
import { ContentView } from '../../inbox/thread/messages/content.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { describe } from '../../ui/layout/state-view.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { showToast } from '../../ui/overlays/toasts.ts'
import { Picker } from '../../ui/pickers/picker.tsx'
import { newKey } from '../campaign-dialogs.tsx'
import type { Campaign } from '../campaign-state.tsx'
import styles from '../campaigns.module.css'
import { texts as shared } from '../texts.ts'
import { texts } from './texts.ts'

type Contact = Schemas['ContactSummary']

const body = { filter: { match: 'all' as const, conditions: [] }, limit: 100 }

async function listContacts(segmentId: string | null): Promise<readonly Contact[]> {
  const found = segmentId
    ? await call(api.POST('/segments/{segmentId}/contacts/search', { params: { path: { segmentId } }, body }))
    : await call(api.POST('/contacts/search', { body }))
  return found.items
}

const toName = ({ name, phone }: Contact) => name ?? phone ?? texts().unnamed

export function Preview({ campaign }: { campaign: Campaign }) {
  const { segmentId } = campaign
  const { data: contacts = [] } = useResource(`${segmentId}`, () => listContacts(segmentId))
  const [chosenId, setChosenId] = useState<string>()
  const [open, setOpen] = useState<'contacts' | 'test'>()
  const position = Math.max(
    0,
    contacts.findIndex(({ id }) => id === chosenId),
  )
  const contact = contacts[position]
  const close = () => setOpen(undefined)
  if (!contact) return <p className={styles.muted}>{texts().noContacts}</p>
  return (
    <>
      <Phone contact={contact}>
        {campaign.inboxId && campaign.content ? (
          <Message campaign={campaign} contact={contact} />
        ) : (
          <p className={styles.muted}>{texts().previewMissing}</p>
        )}
      </Phone>
      <div className={styles.row}>
        <Button onClick={() => setOpen('contacts')}>{texts().chooseContact}</Button>
        <Button
          disabled={contacts.length < 2}
          onClick={() => setChosenId(contacts[(position + 1) % contacts.length]!.id)}
        >
          {texts().nextContact}
        </Button>
        {hasScope('campaign:schedule') && <Button onClick={() => setOpen('test')}>{texts().test}</Button>}
      </div>
      {open === 'contacts' && (
        <Picker
          title={texts().chooseContact}
          choices={contacts.map(item => ({
            id: item.id,
            label: toName(item),
            hint: item.phone ?? undefined,
            checked: item === contact,
            onSelect: () => setChosenId(item.id),
          }))}
          onClose={close}
        />
      )}
      {open === 'test' && <TestDialog campaign={campaign} contact={contact} onClose={close} />}
    </>
  )
}

interface OfContact {
  campaign: Campaign
  contact: Contact
}

function Phone({ contact, children }: { contact: Contact; children: ReactNode }) {
  return (
    <figure className={styles.phone} aria-label={texts().previewFor(toName(contact))}>
      <figcaption className={styles.muted}>{toName(contact)}</figcaption>
      {children}
    </figure>
  )
}

function Message({ campaign: { id, revision }, contact }: OfContact) {
  const params = { path: { campaignId: id } }
  const { data, error } = useResource(`${contact.id} ${revision}`, () =>
    call(api.POST('/campaigns/{campaignId}/preview', { params, body: { contactId: contact.id } })),
  )
  if (data?.content)
    return (
      <div className={styles.bubble}>
        <ContentView content={data.content} />
      </div>
    )
  if (data?.skipReason)
    return <p>{texts().skippedBecause(shared().reasons[data.skipReason] ?? data.skipReason)}</p>
  if (error === undefined) return null
  const problem = ApiError.from(error)
  return <p className={styles.muted}>{problem.status === 400 ? texts().previewMissing : describe(problem)}</p>
}

function TestDialog({ campaign, contact, onClose }: OfContact & { onClose: () => void }) {
  const [problem, setProblem] = useState<ApiError>()
  const [isBusy, setBusy] = useState(false)
  const [key] = useState(newKey)
  const send = async () => {
    setBusy(true)
    try {
      const params = { path: { campaignId: campaign.id }, header: { 'Idempotency-Key': key } }
      const body = { contactId: contact.id }
      await call(api.POST('/campaigns/{campaignId}/test', { params, body }))
      showToast({ text: texts().testSent(toName(contact)) })
      onClose()
    } catch (error) {
      setProblem(ApiError.from(error))
      setBusy(false)
    }
  }
  const violation = problem?.violations[0]
  return (
    <Dialog title={texts().test} open onClose={onClose}>
      <p>{texts().testQuestion(toName(contact))}</p>
      <p className={styles.muted}>{texts().testHint}</p>
      {problem && (
        <p className={styles.error} role="alert">
          {violation ? `${violation.field}: ${t.describeReason(violation)}` : describe(problem)}
        </p>
      )}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look="primary" busy={isBusy} onClick={() => void send()}>
          {t.send}
        </Button>
      </div>
    </Dialog>
  )
}
