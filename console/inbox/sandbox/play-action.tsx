/** Plays a customer on screens without an open conversation, which has a panel of its own. */
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useActions } from '../../actions/registry.ts'
import { t } from '../../i18n/i18n.ts'
import { PlayIcon } from '../../ui/controls/icons.tsx'
import { lazyPart } from '../../ui/layout/lazy-part.tsx'
import { useSimulated } from './simulated.ts'

const CustomerDialog = lazyPart<{ onClose: () => void }>(
  async () => (await import('../later.ts')).CustomerDialog,
)

export function PlayAction() {
  const [isOpen, setOpen] = useState(false)
  const { conversationId } = useParams({ strict: false })
  const canPlay = useSimulated().length > 0 && conversationId === undefined
  const run = () => setOpen(true)
  useActions(canPlay ? [{ id: 'sandbox', label: t.playCustomer, group: t.general, icon: PlayIcon, run }] : [])
  return isOpen ? <CustomerDialog onClose={() => setOpen(false)} /> : null
}
