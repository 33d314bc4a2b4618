/** Fills the placeholders of a saved reply with values of the conversation, its contact, the user and the workspace. */
import { loadContacts } from '../../contacts/contact-views.ts'
import type { Contact } from '../../contacts/schemas.ts'
import { emailFieldId, phoneFieldId } from '../../contacts/tags-and-fields/custom-field-values.ts'
import { getFieldDefinitions } from '../../contacts/tags-and-fields/custom-fields.ts'
import { getConversation } from '../../conversations/conversations.ts'
import { findUser } from '../../identity/users/users.ts'
import { getWorkspace } from '../../identity/workspace/tenants.ts'
import type { Queryable } from '../../platform/db/db.ts'
import { invalid, violation } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import {
  findPlaceholders,
  findTemplateErrors,
  type Interpolation,
  interpolate,
} from '../../platform/interpolation/interpolation.ts'

const members: Readonly<Record<string, readonly string[]>> = {
  contact: ['name', 'firstName', 'email', 'phone', 'customFields'],
  user: ['name', 'firstName', 'email'],
  workspace: ['name'],
  conversation: ['id', 'channel'],
}
const names = Object.entries(members).flatMap(([root, values]) => values.map(value => `${root}.${value}`))

/** Throws if a placeholder cannot be read, or names a value or custom field that does not exist. */
export async function checkPlaceholders(
  on: Queryable,
  tenantId: string,
  text: string,
  field = 'text',
): Promise<void> {
  const errors = findTemplateErrors(text).map(message => violation(field, 'invalid_placeholder', message))
  const paths = findPlaceholders(text).map(({ path }) => path)
  const unknown = paths.filter(path => !isKnown(path)).map(path => path.join('.'))
  const fields = paths.filter(path => isKnown(path) && path[1] === 'customFields').map(path => path[2]!)
  const definitions = fields.length > 0 ? await getFieldDefinitions(on, tenantId) : undefined
  const violations = [
    ...errors,
    ...unknown.map(path => violation(field, 'unknown_value', `${path}: there are ${names.join(', ')}`)),
    ...fields
      .filter(name => !definitions!.byName.has(name))
      .map(name => violation(field, 'unknown_custom_field', `${name} is not a custom field of contacts`)),
  ]
  if (violations.length > 0) invalid(...violations)
}

function isKnown([root = '', member = '', ...rest]: readonly string[]): boolean {
  const known = Object.hasOwn(members, root) && members[root]!.includes(member)
  return known && rest.length === (member === 'customFields' ? 1 : 0)
}

export async function fillPlaceholders(
  on: Queryable,
  caller: Caller,
  conversationId: string,
  text: string,
): Promise<Interpolation> {
  const { tenantId } = caller
  const conversation = await getConversation(on, caller, conversationId)
  const [[contact], user, workspace] = await Promise.all([
    loadContacts(on, tenantId, [conversation.contactId]),
    findUser(on, tenantId, caller.id),
    getWorkspace(on, tenantId),
  ])
  return interpolate(text, {
    contact: contact ? toContactValues(contact) : null,
    user: user ? { name: user.name, firstName: toFirstName(user.name), email: user.email } : null,
    workspace: { name: workspace.name },
    conversation: { id: conversation.id, channel: conversation.channel },
  })
}

function toContactValues({ name, identities, customFields }: Contact): Record<string, unknown> {
  const identity = identities.find(({ metadata }) => metadata.phoneNumber)
  return {
    name,
    firstName: toFirstName(name),
    email: customFields[emailFieldId] ?? null,
    phone: identity?.metadata.phoneNumber ?? customFields[phoneFieldId] ?? null,
    customFields,
  }
}

function toFirstName(name: string | null): string | null {
  return name?.trim().split(/\s+/)[0] ?? null
}
