/** The data of the contact; each part can be changed where it is shown. */

import { useState } from 'react'
import { api, call } from '../../api/client.ts'
import { getSignedIn, hasScope } from '../../api/session.ts'
import { toTitle } from '../../app/field-title.ts'
import { formatDay } from '../../i18n/format.ts'
import { t } from '../../i18n/i18n.ts'
import { Status } from '../../ui/controls/badge.tsx'
import { IconButton } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/field.tsx'
import { PencilIcon, TagIcon, WarningIcon } from '../../ui/controls/icons.tsx'
import { Picker } from '../../ui/pickers/picker.tsx'
import { channelNames } from '../channels.ts'
import styles from './details.module.css'
import { Editable } from './editable.tsx'
import { OptOutFact, useOptOutFacts } from './opt-out-facts.tsx'
import { Fact, Section } from './section.tsx'
import type { ChangeContact, Contact } from './use-contact.ts'

interface ContactProps {
  contact: Contact
  onChange: ChangeContact
}

const canChange = () => hasScope('contact:update')

/** `unnamed` is shown for a contact without a name. */
export function ContactName({ contact, unnamed, onChange }: ContactProps & { unnamed?: string }) {
  const { id, name } = contact
  const save = (text: string) => {
    const value = text === '' ? null : text
    const params = { path: { id } }
    void onChange({ name: value }, () => call(api.PATCH('/contacts/{id}', { params, body: { name: value } })))
  }
  return (
    <Editable
      name={t.nameOfContact}
      value={name ?? ''}
      placeholder={unnamed}
      isReadOnly={!canChange()}
      onSave={save}
    />
  )
}

/** Says below the name on which channels the contact must not be written to. */
export function OptOutMark({ contact: { optOuts } }: { contact: Contact }) {
  if (optOuts.length === 0) return null
  return (
    <Status tone="warning" icon={WarningIcon}>
      {t.optOuts} {optOuts.map(channel => channelNames[channel]).join(', ')}
    </Status>
  )
}

export function ContactFacts(props: ContactProps) {
  const { contact } = props
  return (
    <>
      <Section title={t.contact}>
        <dl className={styles.facts}>
          {contact.identities.map(({ id, channel, externalId, username }) => (
            <Fact key={id} name={channelNames[channel]}>
              {username ?? externalId}
            </Fact>
          ))}
          <Fact name={t.since}>{formatDay(contact.createdAt)}</Fact>
          <CustomFields {...props} />
        </dl>
      </Section>
      <Tags {...props} />
      <OptOuts {...props} />
    </>
  )
}

function CustomFields({ contact, onChange }: ContactProps) {
  const { customFields } = contact
  const defined = getSignedIn().customFields.filter(({ entityType }) => entityType === 'contact')
  const types = new Map(defined.map(({ name, type }) => [name, type]))
  // The number of a contact who is reached by phone is above.
  const hasPhone = contact.identities.some(({ externalId }) => externalId.startsWith('+'))
  const isShown = (name: string) => name !== 'cf_phone' || !hasPhone || customFields[name] !== undefined
  const names = [...new Set([...types.keys(), ...Object.keys(customFields)])].filter(isShown)
  const save = (name: string, value: string) => {
    const params = { path: { id: contact.id } }
    const body = { customFields: { [name]: value } }
    const values = { customFields: { ...customFields, [name]: value } }
    void onChange(values, () => call(api.PATCH('/contacts/{id}', { params, body })))
  }
  return names.map(name => (
    <Fact key={name} name={toTitle(name)}>
      <Editable
        name={toTitle(name)}
        value={customFields[name] ?? ''}
        type={types.get(name) ?? 'text'}
        isReadOnly={!canChange()}
        onSave={value => save(name, value)}
      />
    </Fact>
  ))
}

function Tags({ contact, onChange }: ContactProps) {
  const [isOpen, setOpen] = useState(false)
  const { tags } = getSignedIn()
  const { id: contactId, tagIds } = contact
  const toggle = (tagId: string) => {
    const isOn = !tagIds.includes(tagId)
    const params = { path: { contactId, tagId } }
    const path = '/contacts/{contactId}/tags/{tagId}'
    const values = { tagIds: isOn ? [...tagIds, tagId] : tagIds.filter(id => id !== tagId) }
    void onChange(values, () =>
      call<unknown>(isOn ? api.POST(path, { params }) : api.DELETE(path, { params })),
    )
  }
  const choices = [...tags.values()].map(({ id, name }) => ({
    id,
    label: name,
    icon: TagIcon,
    checked: tagIds.includes(id),
    onSelect: () => toggle(id),
  }))
  if (choices.length === 0) return null
  return (
    <Section title={t.tags}>
      <div className={styles.tags}>
        {tagIds.map(id => (
          <Status key={id}>{tags.get(id)?.name ?? '…'}</Status>
        ))}
        {canChange() && <IconButton icon={PencilIcon} label={t.changeTags} onClick={() => setOpen(true)} />}
      </div>
      {isOpen && <Picker title={t.tags} choices={choices} onClose={() => setOpen(false)} isMultiple />}
    </Section>
  )
}

/** One switch for each channel on which the contact can be reached. */
function OptOuts({ contact, onChange }: ContactProps) {
  const { id, optOuts, identities } = contact
  const facts = useOptOutFacts(contact)
  const channels = [...new Set([...identities.map(({ channel }) => channel), ...optOuts])]
  const toggle = (channel: Contact['optOuts'][number], isOut: boolean) => {
    const params = { path: { id, channel } }
    const path = '/contacts/{id}/opt-outs/{channel}'
    const values = { optOuts: isOut ? [...optOuts, channel] : optOuts.filter(item => item !== channel) }
    void onChange(values, () =>
      call<unknown>(isOut ? api.PUT(path, { params }) : api.DELETE(path, { params })),
    )
  }
  if (channels.length === 0) return null
  return (
    <Section title={t.optOuts}>
      {channels.map(channel => {
        const fact = facts.find(item => item.channel === channel && optOuts.includes(channel))
        return (
          <div key={channel}>
            <Checkbox
              label={channelNames[channel]}
              checked={optOuts.includes(channel)}
              disabled={!canChange()}
              onChange={event => toggle(channel, event.target.checked)}
            />
            {fact && <OptOutFact fact={fact} />}
          </div>
        )
      })}
    </Section>
  )
}
