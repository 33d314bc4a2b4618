/** Shows a contact beside the table, without leaving it. */
import { Link } from '@tanstack/react-router'
import { ContactFacts, ContactName, OptOutMark } from '../inbox/details/contact-facts.tsx'
import details from '../inbox/details/details.module.css'
import { useContact } from '../inbox/details/use-contact.ts'
import { Failure, Loading } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { texts } from './texts.ts'

export function Peek({ contactId, onClose }: { contactId: string; onClose: () => void }) {
  const { contact, error, change, reload } = useContact(contactId)
  return (
    <Dialog title={texts().peek} open onClose={onClose} sheet>
      {error ? (
        <Failure error={error} onRetry={reload} />
      ) : !contact ? (
        <Loading rows={3} />
      ) : (
        <div className={details.sections}>
          <h3 className={details.name}>
            <ContactName contact={contact} onChange={change} />
          </h3>
          <OptOutMark contact={contact} />
          <Link to="/contacts/$contactId" params={{ contactId }}>
            {texts().openContact}
          </Link>
          <ContactFacts contact={contact} onChange={change} />
        </div>
      )}
    </Dialog>
  )
}
