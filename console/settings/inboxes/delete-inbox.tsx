/** Asks before an inbox is deleted, with the list of what that changes. */
import { useNavigate } from '@tanstack/react-router'
import { api, call } from '../../api/client.ts'
import { hasScope } from '../../api/session.ts'
import { ConfirmDialog } from '../common/confirm-dialog.tsx'
import { useLoaded } from '../common/use-loaded.tsx'
import { texts as common } from '../texts.ts'
import type { Inbox } from './inbox-health.tsx'
import { texts } from './texts.ts'

export function DeleteInbox({ inbox, onClose }: { inbox: Inbox; onClose: () => void }) {
  const navigate = useNavigate()
  const { data: open } = useLoaded(() => countOpen(inbox.id))
  const remove = async () => {
    await call(api.DELETE('/inboxes/{id}', { params: { path: { id: inbox.id } } }))
    void navigate({ to: '/settings/inboxes', replace: true })
  }
  return (
    <ConfirmDialog
      title={texts().deleteQuestion(inbox.name)}
      effects={texts().effects(open === undefined ? undefined : texts().openConversations(open))}
      confirmLabel={texts().delete}
      done={common().deleted(inbox.name)}
      onConfirm={remove}
      onClose={onClose}
    />
  )
}

async function countOpen(inboxId: string): Promise<number | undefined> {
  if (!hasScope('conversation:list')) return undefined
  const filters = [{ inboxId, status: ['open' as const] }]
  const { counts } = await call(api.POST('/conversations/counts', { body: { filters } }))
  return counts[0]?.count
}
