/** The values that a reply can contain, by the names that saved replies use. Those that the contact does not have are left out. */
import type { Schemas } from '../../../api/client.ts'
import { getSignedIn } from '../../../api/session.ts'

const toFirstName = (name: string | null) => name?.trim().split(/\s+/)[0]

export function listValues({ name, identities, customFields }: Schemas['Contact']): [string, string][] {
  const { me, workspace } = getSignedIn()
  const { cf_email: email, cf_phone: phone, ...others } = customFields
  const number = identities.find(({ metadata }) => metadata.phoneNumber)?.metadata.phoneNumber
  const values: [string, string | null | undefined][] = [
    ['contact.name', name],
    ['contact.firstName', toFirstName(name)],
    ['contact.email', email],
    ['contact.phone', number ?? phone],
    ...Object.entries(others).map(([field, value]): [string, string] => [
      `contact.customFields.${field}`,
      value,
    ]),
    ['user.name', me.name],
    ['user.firstName', toFirstName(me.name)],
    ['workspace.name', workspace.name],
  ]
  return values.flatMap(([path, value]) => (value ? [[path, value]] : []))
}
